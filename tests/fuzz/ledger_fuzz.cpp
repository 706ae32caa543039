#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/ledger/ledger_report.hpp"
#include "southwell/ledger/ledger_state.hpp"
#include "southwell/ledger/outlook.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_text.hpp"

using namespace southwell;

namespace {

/// Each line with the hash that it needs, and that of the line before: what a fuzzer would never
/// guess, and what lets it reach the rest.
std::string with_hashes(std::string_view text) {
  std::string out;
  std::string previous = ledger::no_hash();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line += ",\"previous\":\"" + previous + "\"";
    previous = model::sha256([&](const model::TextSink& sink) { sink(line); });
    out += line + ",\"hash\":\"" + previous + "\"}\n";
  }
  return out;
}

}  // namespace

/// One release with Laplace noise, as a fit would have reserved it.
model::Statement look_under(const std::string& relation, const std::string& unit) {
  model::Statement look;
  look.epsilon = 0.125;
  look.relation = relation;
  look.unit = unit;
  look.records = 1000.0;
  look.mechanisms.push_back(
      {"release",
       "discrete_laplace",
       {.kind = privacy::Cost::Kind::discrete_laplace, .shift = 1, .scale = 8},
       1});
  model::settle_spent(look);
  model::settle_guarantee(look, {});
  return look;
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// What it admits next it can read again, with all that was charged before and the new entry.
void expect_to_go_on(const ledger::LedgerState& state, const std::string& text) {
  try {
    const ledger::Admitted next =
        state.admitted("fit", look_under(state.terms().relation, state.terms().unit), "00");
    const ledger::LedgerState after(text + next.line.text, "ledger");
    expect(after.entries().size() == state.entries().size() + 1, "forgets what it admits");
    const privacy::Spend& now = after.filter().spent();
    const privacy::Spend& before = state.filter().spent();
    expect(now.pure >= before.pure && now.renyi >= before.renyi, "gives something back");
    const bool is_charged = now.pure > before.pure || now.renyi > before.renyi;
    expect(is_charged == (next.entry.admission == ledger::Admission::filter),
           "charges for an entry that costs nothing, or does not for one that does");
  } catch (const BudgetError&) {
  }
}

/// A ledger is refused as a whole, or it keeps its promise, can be shown, and goes on.
extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(data + 1, size - 1);
  try {
    const std::string text = (data[0] & 1) != 0 ? with_hashes(bytes) : std::string(bytes);
    const ledger::LedgerState state(text, "ledger");
    const privacy::RenyiFilter& filter = state.filter();
    const bool by_pure = filter.spent().pure <= filter.terms().budget.epsilon;
    expect(by_pure || filter.spent().renyi <= filter.renyi_bound(), "admits more than it promises");
    expect_to_go_on(state, text);
    ledger::to_text(state, {});
    ledger::to_json(state, {});
    ledger::events_json(state);
  } catch (const DataError&) {
  }
  return 0;
}
