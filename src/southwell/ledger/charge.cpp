#include "southwell/ledger/charge.hpp"

#include <algorithm>
#include <stdexcept>

#include "southwell/core/fault.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/model/ledger_words.hpp"

namespace southwell::ledger {
namespace {

/// Whether what was done costs more than what was charged.
bool costs_more(const model::Statement& made, const model::Statement& planned, double order) {
  constexpr double kRounding = 1.0 + 1e-9;  // the same sums in another order
  const privacy::Spend done = privacy::spend_of(made.met_by_one_unit(), order);
  const privacy::Spend charged = privacy::spend_of(planned.met_by_one_unit(), order);
  return done.pure > charged.pure * kRounding || done.renyi > charged.renyi * kRounding;
}

}  // namespace

Charge::Charge(const std::optional<std::string>& file, const std::string& what,
               const model::Statement& planned)
    : what_(what), planned_(planned) {
  if (!file) return;
  ledger_ = Ledger::unread(*file);
  if (!fault(Fault::ledger_reserves_after_the_fit)) reservation_ = ledger_->reserve(what, planned);
}

void Charge::commit(model::Statement& made) {
  if (!ledger_) return;
  if (!reservation_) reservation_ = ledger_->reserve(what_, planned_);
  const Terms& terms = reservation_->terms;
  if (costs_more(made, planned_, terms.filter.order)) {
    throw std::logic_error("ledger: more was done than was reserved");
  }
  ledger_->commit(*reservation_);
  model::name_ledger(made, "entry " + std::to_string(reservation_->entry.sequence) + " of ledger " +
                               terms.id +
                               ", which keeps all of its entries "
                               "together within (" +
                               core::number_text(terms.filter.budget.epsilon) + ", " +
                               core::number_text(terms.filter.budget.delta) + ")");
}

void Charge::commit(model::LinearModel& made) {
  commit(made.privacy);
  if (reservation_) made.attachments.ledger_entry = reservation_->attachment();
}

}  // namespace southwell::ledger
