#include "input_flags.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "objective_options.hpp"
#include "southwell/core/overloaded.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/inputs.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

using fit::FitSpec;
using fit::Input;
using problem::ObjectiveSpec;

// Data options have these (data_options.hpp), and labels are numbers here.
constexpr std::array<std::string_view, 3> kNoFlags{"features", "threads", "class_names"};

std::string flag_of(const Input& input) {
  std::string flag = "--" + std::string(input.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string help_of(const Input& input) {
  std::string help(input.help.substr(0, input.help.size() - 1));  // a flag's help has no full stop
  if (input.name == "solver") {
    help = fit::solvers_help();
  } else if (!input.words.empty()) {
    help += ": " + core::listed(input.words);
  }
  if (std::holds_alternative<fit::NumbersOrData>(input.member)) {
    help += "; a file of them (.csv feature,scale or one number per line; .npy), or from_data";
  }
  if (input.name == "unit") help += "; of a .csv file the column that says it";
  if (std::holds_alternative<fit::StartModel>(input.member)) {
    help += " (.json, or .csv feature,coef and .npy)";
  }
  const bool is_absence = input.words.empty() && input.standard == "none";  // else one of the words
  const bool is_told = !input.is_required() && !is_absence && input.standard != "off";
  return is_told ? help + " [" + std::string(input.standard) + "]" : help;
}

/// Adds the flag of one row. What it sets is found by the type of the row's member.
class Adder {
 public:
  Adder(const Command& command, FitSpec& spec, FileInputs& files, const Input& input)
      : command_(command.group(std::string(title_of(input.group)))),
        spec_(spec),
        files_(files),
        input_(input),
        flag_(flag_of(input)) {}

  void add() {
    if (const auto list = files_.lists.find(std::string(input_.name)); list != files_.lists.end()) {
      command_
          .add_option(flag_, list->second,
                      help_of(input_) + "; several to choose from with commas between them")
          .kind("LIST");
      return;
    }
    std::visit(
        core::Overloaded{
            [&](std::string ObjectiveSpec::* m) { add_word(spec_.objective.*m); },
            [&](std::optional<double> ObjectiveSpec::* m) { add_number(spec_.objective.*m); },
            [&](std::optional<double> FitSpec::* m) { add_number(spec_.*m); },
            [&](std::optional<std::uint64_t> FitSpec::* m) { add_whole(spec_.*m); },
            [&](std::optional<bool> FitSpec::* m) { add_switch(spec_.*m); },
            [&](std::optional<std::string> FitSpec::* m) { add_text(spec_.*m); },
            [&](std::vector<double> FitSpec::* m) { add_numbers(spec_.*m); },
            [&](bool FitSpec::* m) { command_.add_flag(flag_, spec_.*m, help_of(input_)); },
            [&](const fit::NumberOrPrivate& m) { add_number_or_private(m); },
            [&](const fit::ClassWeights& m) { add_class_weights(m); },
            [&](const fit::NumbersOrData&) { add_text(files_.feature_scale); },
            [&](fit::StartModel) { add_text(files_.start); },
            [](auto) {},
        },
        input_.member);
  }

 private:
  template <class Text>
  void add_text(Text& value) const {
    command_.add_option(flag_, value, help_of(input_));
  }

  void add_word(std::string& value) const {
    const Option option =
        command_.add_option(flag_, value, help_of(input_)).check(one_of(input_.words));
    if (input_.is_required()) option.required();
  }

  Option add_set(const char* kind, const Command::Setter& set) const {
    const Option option = command_.add_option(flag_, set, help_of(input_)).kind(kind);
    return input_.is_required() ? option.required() : option;
  }

  void add_number(std::optional<double>& value) const {
    const bool automatic = input_.is_automatic();
    add_set("NUMBER", [automatic, flag = flag_, &value](const std::string& text) {
      value = parsed_number(text);
      const bool is_absent = automatic && text == "auto";
      if (!value && !is_absent) refuse(flag, text, automatic ? "a number or auto" : "a number");
    });
  }

  void add_whole(std::optional<std::uint64_t>& value) const {
    if (!input_.is_automatic()) {
      const std::uint64_t least = input_.range == fit::Range::any ? 0 : 1;
      command_.add_option(flag_, value, help_of(input_)).check(whole_number(least));
      return;
    }
    add_set("WHOLE", [flag = flag_, &value](const std::string& text) {
      value = parsed_whole(text);
      if (!value && text != "auto") refuse(flag, text, "a whole number or auto");
    });
  }

  void add_switch(std::optional<bool>& value) const {
    if (!input_.is_automatic()) {
      add_intercept_flags(command_, [&value](bool wanted) { value = wanted; });
      return;
    }
    add_set("on|off", [flag = flag_, &value](const std::string& text) {
      if (text != "on" && text != "off" && text != "auto") refuse(flag, text, "on, off or auto");
      value = text == "auto" ? std::nullopt : std::optional(text == "on");
    });
  }

  static void set_numbers(const std::string& flag, const std::string& text,
                          std::vector<double>& values) {
    constexpr const char* kAccepted = "numbers with commas between them, such as 0,1";
    values.clear();
    for (const std::string& word : words_of(flag, text, kAccepted)) {
      const auto number = parsed_number(word);
      if (!number) refuse(flag, text, kAccepted);
      values.push_back(*number);
    }
  }

  void add_numbers(std::vector<double>& values) const {
    add_set("LIST",
            [flag = flag_, &values](const std::string& text) { set_numbers(flag, text, values); });
  }

  void add_class_weights(const fit::ClassWeights& member) const {
    std::vector<double>& values = spec_.*member.numbers;
    add_set("LIST", [flag = flag_, &values](const std::string& text) {
      if (text == fit::ClassWeights::kRefused) {
        refuse(flag, text, std::string(fit::ClassWeights::kAccepted));
      }
      set_numbers(flag, text, values);
    });
  }

  void add_number_or_private(const fit::NumberOrPrivate& member) const {
    auto& number = spec_.*member.number;
    bool& by_mechanism = spec_.*member.by_mechanism;
    add_set("NUMBER|private", [flag = flag_, &number, &by_mechanism](const std::string& text) {
      by_mechanism = text == "private";
      number = parsed_number(text);
      if (!number && !by_mechanism) refuse(flag, text, "a number, or private");
    });
  }

  Command command_;
  FitSpec& spec_;
  FileInputs& files_;
  const Input& input_;
  std::string flag_;
};

}  // namespace

void add_input_flags(const Command& command, FitSpec& spec, FileInputs& files, StartFlag start) {
  for (const Input& input : fit::inputs()) {
    const bool is_start = std::holds_alternative<fit::StartModel>(input.member);
    if (core::index_of(kNoFlags, input.name)) continue;
    if (is_start && start == StartFlag::none) continue;
    Adder(command, spec, files, input).add();
  }
}

}  // namespace southwell::cli
