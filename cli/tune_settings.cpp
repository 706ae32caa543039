#include "tune_settings.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/overloaded.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

using nlohmann::json;

double number_in(const Choice& choice) {
  if (!choice.second.is_number()) {
    fit::refuse(choice.first, choice.second.dump(), "a number here, in a setting");
  }
  return choice.second.get<double>();
}
std::string text_in(const Choice& choice) {
  if (!choice.second.is_string()) {
    fit::refuse(choice.first, choice.second.dump(), "a word in quotes, in a setting");
  }
  return choice.second.get<std::string>();
}
bool switch_in(const Choice& choice) {
  if (!choice.second.is_boolean()) {
    fit::refuse(choice.first, choice.second.dump(), "true or false, in a setting");
  }
  return choice.second.get<bool>();
}
std::uint64_t whole_in(const Choice& choice) {
  if (!choice.second.is_number_unsigned()) {
    fit::refuse(choice.first, choice.second.dump(), "a whole number, in a setting");
  }
  return choice.second.get<std::uint64_t>();
}

/// Sets the input of a row by the type of its member. The word auto leaves it out.
void set(fit::FitSpec& spec, const fit::Input& input, const Choice& choice) {
  if (input.is_automatic() && choice.second == "auto") return;
  std::visit(
      core::Overloaded{
          [&](std::string problem::ObjectiveSpec::* m) { spec.objective.*m = text_in(choice); },
          [&](std::optional<double> problem::ObjectiveSpec::* m) {
            spec.objective.*m = number_in(choice);
          },
          [&](std::optional<double> fit::FitSpec::* m) { spec.*m = number_in(choice); },
          [&](std::optional<std::uint64_t> fit::FitSpec::* m) { spec.*m = whole_in(choice); },
          [&](std::optional<bool> fit::FitSpec::* m) { spec.*m = switch_in(choice); },
          [&](std::optional<std::string> fit::FitSpec::* m) { spec.*m = text_in(choice); },
          [&](const fit::NumberOrPrivate& m) { spec.*m.number = number_in(choice); },
          [&](const fit::NumbersOrData& m) { spec.*m.numbers = {number_in(choice)}; },
          [&](auto) {
            fit::refuse(input.name, choice.second.dump(), "nothing: it is not for settings");
          },
      },
      input.member);
}

/// Every combination of the values of an object of lists.
std::vector<Setting> combinations(const json& lists) {
  std::vector<Setting> all{{}};
  for (const auto& [name, values] : lists.items()) {
    const json list = values.is_array() ? values : json::array({values});
    std::vector<Setting> longer;
    for (const Setting& setting : all) {
      for (const json& value : list) {
        longer.push_back(setting);
        longer.back().emplace_back(name, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// A word of a list: a number, a switch or a word.
json value_of(const std::string& word) {
  if (word == "on" || word == "off") return word == "on";
  if (const auto whole = parsed_whole(word)) return *whole;
  if (const auto number = parsed_number(word)) return *number;
  return word;
}

/// What the flags gave, as an object of lists.
json lists_of_flags(const std::map<std::string, std::string>& lists) {
  json object = json::object();
  for (const auto& [name, list] : lists) {
    if (list.empty()) continue;
    std::string flag = "--" + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    for (const std::string& word : words_of(flag, list, "values with commas between them")) {
      object[name].push_back(value_of(word));
    }
  }
  return object;
}

json grid_in(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw DataError(file + ": cannot be opened");
  std::stringstream text;
  text << in.rdbuf();
  const json grid = core::parsed(text.str(), file, "settings as JSON");
  for (const json& lists : grid.is_array() ? grid : json::array({grid})) {
    if (!lists.is_object()) {
      throw DataError(file + ": accepted are objects such as {\"alpha\": [0.01, 0.1]}");
    }
  }
  return grid.is_array() ? grid : json::array({grid});
}

}  // namespace

std::map<std::string, std::string> listed_inputs() {
  std::map<std::string, std::string> lists;
  for (const char* const name :
       {"alpha", "l1_ratio", "penalty", "solver", "iterations", "clip", "step", "record_norm"}) {
    lists[name];
  }
  return lists;
}

Setting single_values(const std::map<std::string, std::string>& lists) {
  const json given = lists_of_flags(lists);
  Setting setting;
  for (const auto& [name, values] : given.items()) {
    if (values.size() == 1) setting.emplace_back(name, values.front());
  }
  return setting;
}

std::vector<Setting> settings_in(const std::string& grid_file,
                                 const std::map<std::string, std::string>& lists) {
  const json given = lists_of_flags(lists);
  json flags = json::object();
  for (const auto& [name, values] : given.items()) {
    if (values.size() > 1) flags[name] = values;
  }
  if (grid_file.empty() && flags.empty()) {
    refuse("--grid", "nothing", "settings: a file of them, or a list such as --alpha 0.01,0.1");
  }
  const json grid = grid_file.empty() ? json::array({json::object()}) : grid_in(grid_file);
  std::vector<Setting> settings;
  for (json each : grid) {
    for (const auto& [name, values] : flags.items()) {
      if (each.contains(name)) refuse("--grid", name, "what is no flag besides");
      each[name] = values;
    }
    const std::vector<Setting> more = combinations(each);
    settings.insert(settings.end(), more.begin(), more.end());
  }
  return settings;
}

std::string name_of(const Setting& setting) {
  std::string name;
  for (const auto& [input, value] : setting) {
    name += (name.empty() ? "" : ", ") + input + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return name;
}

fit::FitSpec with_setting(fit::FitSpec base, const Setting& setting) {
  for (const Choice& choice : setting) {
    const auto rows = fit::inputs();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const fit::Input& input) {
      return input.name == choice.first;
    });
    if (row == rows.end()) {
      fit::refuse("--grid", choice.first, "names of inputs, as southwell fit --help has them");
    }
    set(base, *row, choice);
  }
  return base;
}

}  // namespace southwell::cli
