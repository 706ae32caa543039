#include "command.hpp"

#include <CLI/CLI.hpp>

#include "refusals.hpp"
#include "southwell/core/error.hpp"

namespace southwell::cli {

Option Option::required() const { return Option(*option_->required()); }

Option Option::check(const Check& check) const {
  const CLI::Validator validator(check.fault, check.name);
  // What rewrites the text comes first, so that the others see what it made.
  return Option(check.rewrites ? *option_->transform(validator) : *option_->check(validator));
}

Option Option::delimiter(char comma) const { return Option(*option_->delimiter(comma)); }

Option Option::expected(int words) const { return Option(*option_->expected(words)); }

Option Option::excludes(const std::string& other) const {
  return Option(*option_->excludes(other));
}

Option Option::kind(const std::string& name) const { return Option(*option_->type_name(name)); }

Option Option::description(const std::string& help) const {
  return Option(*option_->description(help));
}

Command Command::add_subcommand(const std::string& name, const std::string& help) const {
  return Command(*app_->add_subcommand(name, help));
}

void Command::require_subcommand() const { app_->require_subcommand(1); }

Command Command::group(const std::string& heading) const {
  Command same = *this;
  same.heading_ = heading;
  return same;
}

Option Command::in_group(CLI::Option& option) const {
  if (!heading_.empty()) option.group(heading_);
  return Option(option);
}

template <class T>
Option Command::bind(const std::string& name, T& value, const std::string& help) const {
  return in_group(*app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::string& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::filesystem::path& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, int& value, const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::uint64_t& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::optional<double>& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::optional<std::uint64_t>& value,
                           const std::string& help) const {
  return bind(name, value, help);
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) const {
  return bind(name, values, help);
}

Option Command::add_option(const std::string& name, std::vector<std::uint64_t>& values,
                           const std::string& help) const {
  return bind(name, values, help);
}

Option Command::add_option(const std::string& name, const Setter& set,
                           const std::string& help) const {
  return in_group(*app_->add_option_function<std::string>(name, set, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return in_group(*app_->add_flag(name, value, help));
}

Option Command::add_flag(const std::string& name, const std::function<void()>& set,
                         const std::string& help) const {
  return in_group(*app_->add_flag_callback(name, set, help));
}

Option Command::option(const std::string& name) const { return Option(*app_->get_option(name)); }

bool Command::has(const std::string& name) const { return app_->count(name) > 0; }

void Command::footer(const std::string& text) const { app_->footer(text); }

void Command::callback(const std::function<void()>& work) const { app_->callback(work); }

Program::Program(const std::string& name, const std::string& help, const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(34);
}

Program::~Program() = default;

Command Program::root() const { return Command(*app_); }

void Program::run(int argc, const char* const* argv) const {
  guard_options(*app_);
  try {
    refuse_what_is_passed_over(*app_, argc, argv);
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw InvalidArgument(in_words(error, *app_));
    app_->exit(error);  // --help, --version
  }
}

void refuse(const std::string& flag, const std::string& given, const std::string& accepted) {
  throw CLI::ValidationError(flag, refusal(given, accepted));
}

}  // namespace southwell::cli
