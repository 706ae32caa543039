#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace southwell::cli {

/// --ledger, of the commands that use records under a budget.
void add_ledger_option(const Command& command, std::optional<std::string>& file);

/// The files that are read, with the ledger if there is one. What is wrong with that is found now,
/// before the data are read.
std::vector<std::string> files_with(const std::optional<std::string>& ledger,
                                    std::vector<std::string> files);

}  // namespace southwell::cli
