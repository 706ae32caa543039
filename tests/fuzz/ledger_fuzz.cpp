#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/ledger/ledger_report.hpp"
#include "southwell/ledger/ledger_state.hpp"
#include "southwell/ledger/outlook.hpp"
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

/// A ledger is refused as a whole, or it keeps its promise and can be shown.
extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(data + 1, size - 1);
  try {
    const ledger::LedgerState state((data[0] & 1) != 0 ? with_hashes(bytes) : std::string(bytes),
                                    "ledger");
    const privacy::RenyiFilter& filter = state.filter();
    const bool by_pure = filter.spent().pure <= filter.terms().budget.epsilon;
    if (!by_pure && !(filter.spent().renyi <= filter.renyi_bound())) {
      std::fprintf(stderr, "admits more than it promises\n");
      std::abort();
    }
    ledger::to_text(state, {});
    ledger::to_json(state, {});
    ledger::events_json(state);
  } catch (const DataError&) {
  }
  return 0;
}
