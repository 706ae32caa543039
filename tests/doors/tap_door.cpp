// The tap of a whole shell, for tests/doors: what every select and release of a program or of the
// Python module declared, got and gave, as text. The command line is told by the environment
// (SOUTHWELL_TAP: where to write, SOUTHWELL_REPLAY: a run whose outputs are forced); Python calls
// the two functions through ctypes.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "southwell/privacy/tap.hpp"

namespace {

using southwell::privacy::Origin;
using southwell::privacy::Tap;
using southwell::privacy::TapRecord;

void put(std::ostream& out, const std::vector<std::int64_t>& numbers) {
  out << ' ' << numbers.size();
  for (const std::int64_t number : numbers) out << ' ' << number;
}

std::string text_of(const std::vector<TapRecord>& records) {
  std::ostringstream out;
  for (const TapRecord& record : records) {
    out << record.call.mechanism << ' ' << record.call.sensitivity << ' ' << record.call.scale
        << ' ' << static_cast<int>(record.call.origin);
    put(out, record.input);
    put(out, record.output);
    out << '\n';
  }
  return out.str();
}

std::vector<std::int64_t> numbers_in(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  std::vector<std::int64_t> numbers(count);
  for (std::int64_t& number : numbers) in >> number;
  return numbers;
}

std::vector<TapRecord> records_in(std::istream& in) {
  std::vector<TapRecord> records;
  TapRecord record;
  int origin = 0;
  while (in >> record.call.mechanism >> record.call.sensitivity >> record.call.scale >> origin) {
    record.call.origin = static_cast<Origin>(origin);
    record.input = numbers_in(in);
    record.output = numbers_in(in);
    records.push_back(record);
  }
  return records;
}

std::unique_ptr<Tap> tap;
std::string last;

/// Of the command line: from the start of the program to its end, however it ends.
struct WholeRun {
  WholeRun() {
    if (std::getenv("SOUTHWELL_TAP") == nullptr) return;
    const char* run = std::getenv("SOUTHWELL_REPLAY");
    if (run == nullptr) {
      tap = std::make_unique<Tap>();
    } else {
      std::ifstream in(run);
      tap = std::make_unique<Tap>(records_in(in));
    }
  }
  ~WholeRun() {
    const char* file = std::getenv("SOUTHWELL_TAP");
    if (file != nullptr && tap) std::ofstream(file) << text_of(tap->records());
    tap.reset();
  }
};
const WholeRun whole_run;

}  // namespace

extern "C" {
/// Begins to record, or, given the text of an earlier run, to replay it.
[[gnu::visibility("default")]] void southwell_tap_begin(const char* run);
/// The text of what came since; good until the next call.
[[gnu::visibility("default")]] const char* southwell_tap_end();

void southwell_tap_begin(const char* run) {
  tap.reset();
  if (run == nullptr) {
    tap = std::make_unique<Tap>();
  } else {
    std::istringstream in(run);
    tap = std::make_unique<Tap>(records_in(in));
  }
}

const char* southwell_tap_end() {
  last = tap ? text_of(tap->records()) : "";
  tap.reset();
  return last.c_str();
}
}
