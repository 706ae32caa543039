#include "refusals.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "validators.hpp"

namespace southwell::cli {
namespace {

bool takes_a_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The command as far as it was understood, for example "southwell lab".
std::string command_of(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* next : app.get_subcommands()) return name + " " + command_of(*next);
  return name;
}

/// Of the words of a list one is empty.
bool has_gap(const CLI::Option& list, std::string_view text) {
  const char comma = list.get_delimiter();
  if (comma == '\0' || text.empty()) return text.empty();
  return text.front() == comma || text.back() == comma ||
         text.find(std::string(2, comma)) != std::string_view::npos;
}

[[noreturn]] void refuse_gap(const CLI::Option& option, const std::string& given) {
  const char* const accepted = option.get_delimiter() == '\0'
                                   ? "a value that is not empty"
                                   : "one value, or several with single commas between them";
  throw CLI::ValidationError(option.get_name(), refusal(given, accepted));
}

void check_assigned(const CLI::Option& option, const std::string& value) {
  if (!takes_a_value(option)) {
    throw CLI::ValidationError(option.get_name(), refusal(value, "the flag without a value"));
  }
  if (has_gap(option, value)) refuse_gap(option, value);
}

/// "--name" of an option that is known here, and how its value is given.
struct Argument {
  const CLI::Option* option = nullptr;
  std::optional<std::string> value{};  ///< after an equals sign
};

Argument argument_of(const CLI::App& command, const std::string& text) {
  if (!text.starts_with("--")) return {};
  const std::size_t equals = text.find('=');
  const CLI::Option* option = command.get_option_no_throw(text.substr(0, equals));
  if (equals == std::string::npos) return {option};
  return {option, text.substr(equals + 1)};
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

std::string name_in(const std::string& message, const char* before) {
  return message.substr(0, message.find(before));
}

}  // namespace

void guard_options(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!takes_a_value(*option)) continue;
    if (option->get_type_name().starts_with("FLOAT"))
      option->check(CLI::Validator(any_number().fault, ""));
    option->check([&app](const std::string& given) -> std::string {
      if (given.empty()) return refusal(given, "a value that is not empty");
      if (given.starts_with("--") && app.get_option_no_throw(given) != nullptr) {
        return "given '" + given + "', which is an option itself; accepted is a value";
      }
      return {};
    });
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    guard_options(*command);
  }
}

void refuse_what_is_passed_over(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* command = &app;
  for (int k = 1; k < argc && std::string_view(argv[k]) != "--"; ++k) {
    const std::string text = argv[k];
    if (const CLI::App* next = command_named(*command, text)) command = next;
    const Argument argument = argument_of(*command, text);
    if (argument.option == nullptr) continue;
    if (argument.value) {
      check_assigned(*argument.option, *argument.value);
    } else if (takes_a_value(*argument.option) && k + 1 < argc) {
      ++k;  // whatever it is, it is the value
      if (has_gap(*argument.option, argv[k]) && argv[k][0] != '\0') {
        refuse_gap(*argument.option, argv[k]);
      }
    }
  }
}

std::string in_words(const CLI::ParseError& error, const CLI::App& app) {
  std::string message = error.what();
  const std::string help = command_of(app) + " --help";
  const std::vector<std::string> unknown = app.remaining(true);
  // Where a value is missing, what is left over is that of a later option.
  if (!unknown.empty() && error.get_name() != "ArgumentMismatch") {
    return "'" + unknown.front() + "' is not understood; accepted is what " + help + " lists";
  }
  if (error.get_name() == "RequiredError") {
    const bool is_command = message.starts_with("A subcommand");
    return (is_command ? "a command is required" : message) + "; accepted is what " + help +
           " lists";
  }
  if (error.get_name() == "ExcludesError") {
    return name_in(message, " excludes ") + ": given together with " +
           message.substr(message.rfind(' ') + 1) + "; accepted is one of them";
  }
  if (error.get_name() == "ArgumentMismatch") {
    const std::string name = name_in(message, ":");
    if (message.ends_with("missing")) {
      return name + ": given without a value; accepted is what " + help + " lists";
    }
    if (message.find("At least") != std::string::npos) {
      return name + ": given too few values; accepted is what " + help + " lists";
    }
    return name + ": given more than once; accepted is every option once";
  }
  return message;
}

}  // namespace southwell::cli
