#include <algorithm>
#include <cstddef>
#include <string>

#include "southwell/audit/findings.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/html_page.hpp"

namespace southwell::audit {
namespace {

std::string number_in(const std::optional<double>& value) {
  return value ? core::rounded_text(*value) : "-";
}

std::string padded(std::string text, std::size_t width) {
  // Counted in bytes: what is printed here is ASCII.
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// Words in lines of at most 100 characters, all but the first indented.
std::string wrapped(const std::string& words, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += " ";
      ++column;
    }
    out += word;
    column += word.size();
    at = end + 1;
  }
  return out;
}

constexpr std::size_t kUnits = 16;  // of the longest

void add_table(const LevelFindings& level, std::string& out) {
  std::size_t width = std::string("checked").size();
  for (const Finding& finding : level.findings) width = std::max(width, finding.subject.size());
  out += "  " + padded("checked", width) + right("claimed", 12) + right("found", 12) + "  " +
         padded("", kUnits) + right("power", 5) + "  verdict\n";
  for (const Finding& finding : level.findings) {
    out += "  " + padded(core::printable(finding.subject), width) +
           right(number_in(finding.claimed), 12) + right(number_in(finding.found), 12) + "  " +
           padded(finding.unit, kUnits) + right(number_in(finding.power), 5) + "  " +
           std::string(name_of(finding.verdict)) + "\n";
    if (!finding.words.empty()) {
      out += "      " + wrapped(core::printable(finding.words), 6) + "\n";
    }
  }
}

std::string conclusion(const Findings& findings) {
  std::size_t checked = 0;
  std::size_t flagged = 0;
  for (const LevelFindings& level : findings) {
    for (const Finding& finding : level.findings) {
      checked += finding.verdict != Verdict::not_run ? 1 : 0;
      flagged += finding.verdict == Verdict::flagged ? 1 : 0;
    }
  }
  const std::string all = std::to_string(checked) + " checks";
  if (flagged > 0) {
    return std::to_string(flagged) + " of " + all + " flagged: the promise is not kept as stated.";
  }
  return all + ", none flagged. An audit can refute a promise and cannot prove it.";
}

}  // namespace

std::string to_text(const Findings& findings) {
  std::string out;
  for (const LevelFindings& level : findings) {
    out += std::string(name_of(level.level)) + "\n";
    out += "  " + wrapped(std::string(looks_at(level.level)), 2) + "\n";
    out += "  " + wrapped("Finds: " + std::string(can_find(level.level)) + ".", 2) + "\n";
    out += "  " + wrapped("Cannot find: " + std::string(cannot_find(level.level)) + ".", 2) + "\n";
    add_table(level, out);
    out += "\n";
  }
  return out + conclusion(findings) + "\n";
}

std::string to_html(const Findings& findings) {
  model::Page page;
  page.begin(true, "Privacy audit");
  page.element("h1", "Privacy audit");
  page.markup(is_flagged(findings) ? "<div class=\"promise none\">" : "<div class=\"promise\">")
      .element("b", conclusion(findings))
      .markup("</div>\n");
  for (const LevelFindings& level : findings) {
    page.element("h2", name_of(level.level)).element("p", looks_at(level.level));
    page.element("p", "Finds: " + std::string(can_find(level.level)) + ".");
    page.element("p", "Cannot find: " + std::string(cannot_find(level.level)) + ".");
    page.markup(
        "<table><tr><th>checked</th><th class=\"n\">claimed</th><th class=\"n\">found</th>"
        "<th></th><th class=\"n\">power</th><th>verdict</th><th></th></tr>\n");
    for (const Finding& finding : level.findings) {
      page.markup("<tr>").element("td", finding.subject);
      page.element("td class=\"n\"", number_in(finding.claimed));
      page.element("td class=\"n\"", number_in(finding.found));
      page.element("td", finding.unit);
      page.element("td class=\"n\"", number_in(finding.power));
      page.element("td", name_of(finding.verdict)).element("td", finding.words);
      page.markup("</tr>\n");
    }
    page.markup("</table>\n");
  }
  page.end(true);
  return std::move(page).take();
}

}  // namespace southwell::audit
