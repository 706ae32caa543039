#include "southwell/data/table/yaml_mapping.hpp"

#include <algorithm>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/parse_number.hpp"

namespace southwell::data {
namespace {

constexpr std::size_t kDeepest = 16;

/// One line that is neither blank nor a comment.
struct Line {
  std::size_t number = 0;
  std::size_t indent = 0;
  std::string key{};
  std::string text{};
};

class LineReader {
 public:
  LineReader(std::string_view line, const std::string& name, std::size_t number)
      : rest_(line), name_(name), number_(number) {}

  Line read() {
    Line out{.number = number_};
    out.indent = std::min(rest_.find_first_not_of(' '), rest_.size());
    rest_.remove_prefix(out.indent);
    if (rest_.starts_with('\t')) refuse("a tab");
    const bool in_quotes = rest_.starts_with('"') || rest_.starts_with('\'');
    out.key = scalar(":");
    const bool is_key = in_quotes || !out.key.empty();  // a key in quotes may be empty
    if (!is_key || !rest_.starts_with(':')) refuse("no key with a colon after it");
    rest_.remove_prefix(1);
    if (!rest_.empty() && !is_blank(rest_.front())) refuse("no blank after the colon");
    rest_ = trimmed(rest_);
    if (rest_.empty() || rest_.front() == '#') return out;
    out.text = scalar("");
    rest_ = trimmed(rest_);
    if (!rest_.empty() && rest_.front() != '#') refuse("text after the quotes");
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& found) const {
    throw DataError(name_ + ":" + std::to_string(number_) + ": " + found +
                    "; accepted are lines of 'key: text', nested by blanks, and comments");
  }

  /// Text in quotes, or up to a comment, the end or the mark `until`.
  std::string scalar(std::string_view until) {
    constexpr std::string_view kOther = "[]{}&*!|>%@`,?";
    const char first = rest_.empty() ? '\0' : rest_.front();
    if (first == '"' || first == '\'') return in_quotes(first);
    if (kOther.find(first) != std::string_view::npos) refuse("a list, a brace or a tag");
    if (first == '-' && (rest_.size() == 1 || is_blank(rest_[1]) || rest_[1] == '-')) {
      refuse("a list or a document mark");
    }
    std::size_t end = 0;
    while (end < rest_.size()) {
      const bool comment = rest_[end] == '#' && end > 0 && is_blank(rest_[end - 1]);
      const bool colon = rest_[end] == ':' && (end + 1 == rest_.size() || is_blank(rest_[end + 1]));
      if (colon && until.empty()) refuse("a second colon");
      if (comment || colon) break;
      ++end;
    }
    const std::string_view text = trimmed(rest_.substr(0, end));
    if (text.find('\t') != std::string_view::npos) refuse("a tab");
    rest_.remove_prefix(end);
    return std::string(text);
  }

  std::string in_quotes(char quote) {
    std::string out;
    for (std::size_t k = 1; k < rest_.size(); ++k) {
      if (rest_[k] == '\\' && quote == '"') refuse("a backslash in quotes");
      if (rest_[k] == quote && k + 1 < rest_.size() && rest_[k + 1] == quote && quote == '\'') {
        ++k;  // two of them stand for one
      } else if (rest_[k] == quote) {
        rest_.remove_prefix(k + 1);
        return out;
      }
      out += rest_[k];
    }
    refuse("quotes that do not close");
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t number_;
};

std::vector<Line> lines_of(std::string_view text, const std::string& name) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    lines.push_back(LineReader(line, name, number).read());
  }
  return lines;
}

class MappingParser {
 public:
  MappingParser(std::vector<Line> lines, const std::string& name)
      : lines_(std::move(lines)), name_(name) {}

  std::vector<YamlEntry> parse() { return lines_.empty() ? std::vector<YamlEntry>{} : mapping(0); }

 private:
  [[noreturn]] void refuse(const Line& line, const std::string& found,
                           const std::string& accepted) const {
    throw DataError(name_ + ":" + std::to_string(line.number) + ": " + found + "; accepted " +
                    accepted);
  }

  /// The lines from the next on that are as far from the margin as it is.
  std::vector<YamlEntry> mapping(std::size_t depth) {
    const std::size_t indent = lines_[at_].indent;
    if (depth == kDeepest) refuse(lines_[at_], "nested too deep", "are at most 16 levels");
    std::vector<YamlEntry> out;
    while (at_ < lines_.size() && lines_[at_].indent >= indent) {
      const Line& line = lines_[at_++];
      if (line.indent > indent || (depth == 0 && line.indent > 0)) {
        refuse(line, "further from the margin than the line before", "is the same for one mapping");
      }
      const bool known = std::any_of(out.begin(), out.end(),
                                     [&](const YamlEntry& entry) { return entry.key == line.key; });
      if (known) refuse(line, "the key " + core::quoted(line.key) + " again", "is every key once");
      out.push_back({line.key, line.text, {}, line.number});
      const bool nested = at_ < lines_.size() && lines_[at_].indent > indent;
      if (!nested) continue;
      if (!line.text.empty()) refuse(lines_[at_], "lines below a text", "is text on one line");
      out.back().entries = mapping(depth + 1);
      if (at_ < lines_.size() && lines_[at_].indent > indent) {
        refuse(lines_[at_], "between two margins", "is the margin of a line above");
      }
    }
    return out;
  }

  std::vector<Line> lines_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

const YamlEntry* YamlEntry::find(std::string_view wanted) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == wanted; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<YamlEntry> parse_yaml_mapping(std::string_view text, const std::string& name) {
  return MappingParser(lines_of(text, name), name).parse();
}

}  // namespace southwell::data
