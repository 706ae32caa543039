#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace southwell::cli {

// How the command line as a whole refuses: rules that every option of every command keeps, and the
// parser's own complaints in the grammar of ours.

/// Makes every option refuse an empty value, a number that is none, and another option in the place
/// of its value. Called when all commands are there.
void guard_options(CLI::App& app);

/// Throws CLI::ValidationError for what the parser would pass over without a word: nothing after
/// the equals sign of --option=, an empty word in a list, a value of a flag that takes none.
void refuse_what_is_passed_over(const CLI::App& app, int argc, const char* const* argv);

/// What the parser complains about: the argument, what was given, what is accepted.
std::string in_words(const CLI::ParseError& error, const CLI::App& app);

}  // namespace southwell::cli
