#include "ledger_option.hpp"

#include "southwell/ledger/ledger.hpp"

namespace southwell::cli {

void add_ledger_option(const Command& command, std::optional<std::string>& file) {
  command.add_option("--ledger", file,
                     "The file of a ledger (southwell ledger create makes one), which the whole "
                     "cost is charged to before a record is used; what it has no room for is "
                     "refused");
}

std::vector<std::string> files_with(const std::optional<std::string>& ledger,
                                    std::vector<std::string> files) {
  if (!ledger) return files;
  ledger::Ledger{*ledger};
  files.push_back(*ledger);
  return files;
}

}  // namespace southwell::cli
