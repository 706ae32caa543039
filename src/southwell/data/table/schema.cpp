#include "southwell/data/table/schema.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/core/words.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/table/json_field.hpp"

namespace southwell::data {
namespace {

using core::JsonPart;

constexpr std::array<std::string_view, 2> kOwnKeys{"interactions", "expand"};
constexpr std::size_t kMostPieces = 1024;
constexpr std::size_t kMostPairs = std::size_t{1} << 23;
constexpr std::size_t kLargestSchema = std::size_t{64} << 20;

std::string name_of(const JsonPart& part) {
  const std::string& name = part.at("name").text();
  if (!is_name(name)) {
    part.refuse("name: given " + core::quoted(name), "text without control characters, not empty");
  }
  return name;
}

std::vector<Field> parse_fields(const JsonPart& root, const std::string& file) {
  std::vector<std::string> missing{""};
  if (const auto words = root.find("missingValues")) missing = words->texts();
  std::vector<Field> fields;
  std::set<std::string> names;
  std::optional<std::string> with_role[2];
  root.at("fields").for_each([&](const JsonPart& part) {
    const std::string name = name_of(part);
    const JsonPart named(part.content(), file + ": field " + core::quoted(name));
    if (!names.insert(name).second) named.refuse("name: given twice", "every name once");
    fields.push_back(parse_field(named, missing));
    const Role role = fields.back().role;
    if (role != Role::target && role != Role::unit) return;
    std::optional<std::string>& other = with_role[role == Role::unit ? 1 : 0];
    if (other) {
      const std::string word = role == Role::unit ? "unit" : "target";
      named.refuse("southwell.role: given " + word + ", as field " + core::quoted(*other) + " has",
                   "one " + word + " at most");
    }
    other = name;
  });
  return fields;
}

bool is_expandable(const Field& field) {
  return field.role == Role::feature && field.bounds &&
         (field.kind == FieldKind::number || field.kind == FieldKind::time);
}
bool can_interact(const Field& field) {
  return field.role == Role::feature && field.kind != FieldKind::hashed;
}

/// expand: {"age": {"hinges": 8}}
void parse_expansions(const JsonPart& expand, std::vector<Field>& fields) {
  constexpr std::array<std::string_view, 2> kKeys{"hinges", "bins"};
  expand.for_each_member([&](const std::string& name, const JsonPart& part) {
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (field == fields.end() || !is_expandable(*field)) {
      part.refuse("given " + core::quoted(name), "the name of a feature that has bounds");
    }
    check_own_keys(part, kKeys);
    const auto pieces = [&](const char* key) {
      const auto count = part.find(key);
      if (!count) return std::size_t{0};
      if (count->size() < 1 || count->size() > kMostPieces) {
        count->refuse("given " + std::to_string(count->size()), "1 to 1024");
      }
      return count->size();
    };
    field->hinges = pieces("hinges");
    field->bins = pieces("bins");
    if (field->hinges == 0 && field->bins == 0) {
      part.refuse("neither hinges nor bins", "one of them, or both");
    }
  });
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs all_pairs(const std::vector<Field>& fields) {
  Pairs pairs;
  for (std::size_t a = 0; a < fields.size(); ++a) {
    for (std::size_t b = a + 1; b < fields.size(); ++b) {
      if (pairs.size() > kMostPairs) return pairs;  // more than there may be features
      if (can_interact(fields[a]) && can_interact(fields[b])) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

Pairs parse_interactions(const JsonPart& part, const std::vector<Field>& fields) {
  if (part.content().is_string()) {
    if (part.text() == "all") return all_pairs(fields);
    part.refuse("given " + core::quoted(part.text()), "all, or a list of pairs of names");
  }
  Pairs pairs;
  std::set<std::pair<std::size_t, std::size_t>> seen;
  part.for_each([&](const JsonPart& pair) {
    std::vector<std::size_t> two;
    pair.for_each([&](const JsonPart& one) {
      const std::string& name = one.text();
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const Field& f) { return f.name == name; });
      if (field == fields.end() || !can_interact(*field)) {
        one.refuse("given " + core::quoted(name), "the name of a feature that is no hashed text");
      }
      two.push_back(static_cast<std::size_t>(field - fields.begin()));
    });
    if (two.size() != 2 || two[0] == two[1]) {
      pair.refuse("given " + std::to_string(two.size()) + " names", "two different ones");
    }
    std::sort(two.begin(), two.end());
    if (!seen.emplace(two[0], two[1]).second) {
      pair.refuse("given a pair that stands there already", "every pair once");
    }
    pairs.emplace_back(two[0], two[1]);
  });
  return pairs;
}

}  // namespace

Schema Schema::parse(const std::string& text, const std::string& name) {
  const nlohmann::json content = core::parsed(text, name, "a table schema: {\"fields\": [...]}");
  const JsonPart root(content, name);
  Schema out;
  out.fields_ = parse_fields(root, name);
  const bool any = std::any_of(out.fields_.begin(), out.fields_.end(),
                               [](const Field& field) { return field.role == Role::feature; });
  if (!any) root.refuse("fields: no feature", "at least one field that is a feature");
  if (const auto own = root.find("southwell")) {
    check_own_keys(*own, kOwnKeys);
    if (const auto expand = own->find("expand")) parse_expansions(*expand, out.fields_);
    if (const auto pairs = own->find("interactions")) {
      out.interactions_ = parse_interactions(*pairs, out.fields_);
    }
  }
  out.text_ = core::dumped(content, -1);
  return out;
}

Schema Schema::from_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  return parse(read_all(*open_source(file), name, kLargestSchema), name);
}

std::optional<std::size_t> Schema::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  if (found == fields_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields_.begin());
}

std::optional<std::size_t> Schema::field_with(Role role) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.role == role; });
  if (found == fields_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields_.begin());
}

}  // namespace southwell::data
