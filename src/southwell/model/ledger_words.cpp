#include "southwell/model/ledger_words.hpp"

namespace southwell::model {

void name_ledger(Statement& statement, const std::string& words) {
  statement.ledger = words;
  for (std::string& item : statement.not_covered) {
    if (!item.ends_with(kAddUp)) continue;
    item = std::string("what is done with the same people outside the ledger, or in another one") +
           kAddUp;
  }
}

}  // namespace southwell::model
