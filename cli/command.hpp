#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validators.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace southwell::cli {

// The parser (CLI11) as our commands see it. It is made of templates that cost a compiler ten
// seconds in every file that uses them: only command.cpp and refusals.cpp do.

/// One option or flag of a command. A handle: copies speak of the same option.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required() const;
  Option check(const Check& check) const;
  /// The words of a list have `comma` between them.
  Option delimiter(char comma) const;
  /// It takes exactly so many words.
  Option expected(int words) const;
  /// It is not given together with `other`, an option that is there already.
  Option excludes(const std::string& other) const;
  /// What the help calls its value.
  Option kind(const std::string& name) const;
  /// Another help text.
  Option description(const std::string& help) const;

 private:
  CLI::Option* option_;
};

/// A command, or a group of its options. A handle: copies speak of the same command. What an option
/// is bound to must live as long as the program's run.
class Command {
 public:
  using Setter = std::function<void(const std::string& given)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// A command below this one.
  Command add_subcommand(const std::string& name, const std::string& help) const;
  /// One of the commands below has to be given.
  void require_subcommand() const;
  /// The same command; options that are added to it stand under this heading of the help.
  Command group(const std::string& heading) const;

  // A name without dashes is that of an argument by position. Lists take several words.
  Option add_option(const std::string& name, std::string& value, const std::string& help) const;
  Option add_option(const std::string& name, std::filesystem::path& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, double& value, const std::string& help) const;
  Option add_option(const std::string& name, int& value, const std::string& help) const;
  Option add_option(const std::string& name, std::uint64_t& value, const std::string& help) const;
  Option add_option(const std::string& name, std::optional<std::string>& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::optional<double>& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::optional<std::uint64_t>& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::vector<std::uint64_t>& values,
                    const std::string& help) const;
  /// `set` is told what was given, and refuses what is wrong with it (see `refuse`).
  Option add_option(const std::string& name, const Setter& set, const std::string& help) const;

  Option add_flag(const std::string& name, bool& value, const std::string& help) const;
  Option add_flag(const std::string& name, const std::function<void()>& set,
                  const std::string& help) const;

  /// An option that is there already.
  Option option(const std::string& name) const;
  /// It was given.
  bool has(const std::string& name) const;

  /// Text below the options.
  void footer(const std::string& text) const;
  /// What the command does once everything given to it is in place.
  void callback(const std::function<void()>& work) const;

 private:
  template <class T>
  Option bind(const std::string& name, T& value, const std::string& help) const;
  Option in_group(CLI::Option& option) const;

  CLI::App* app_;
  std::string heading_;  ///< empty: the usual one
};

/// The whole command line.
class Program {
 public:
  Program(const std::string& name, const std::string& help, const std::string& version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command root() const;
  /// Reads what was given and runs the command, or prints the help that was asked for. Throws
  /// InvalidArgument for what is not understood, and what the command throws.
  void run(int argc, const char* const* argv) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace southwell::cli
