#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/privacy/random/random_bits.hpp"

// Sees sensitive inputs. Exists in the instrumented build only, for tests and for southwell-replay:
// the library, the program that fits and the Python module have neither this header nor a symbol of
// it (tests/privacy/test_installed_library.py).

namespace southwell::privacy {

#ifdef SOUTHWELL_INSTRUMENTED
inline constexpr bool kTapped = true;
#else
inline constexpr bool kTapped = false;
#endif

/// What a mechanism declares about one call: public. The paper's mechanisms declare no sensitivity,
/// and the bits of their scale, a double (of the smallest, if coordinates differ).
struct TapCall {
  std::string mechanism;
  std::uint64_t sensitivity = 0;
  std::uint64_t scale = 0;
  Origin origin = Origin::system;
  friend bool operator==(const TapCall&, const TapCall&) = default;
};

/// One select (output: the index) or release (output: the values).
struct TapRecord {
  TapCall call;
  std::vector<std::int64_t> input;
  std::vector<std::int64_t> output;
};

/// Records every select and release of this thread while it lives. Given the records of an earlier
/// run it replays it: call i returns output i whatever it drew, and a call of another mechanism or
/// size, or one more than the run had, throws std::logic_error.
class Tap {
 public:
  Tap() : Tap(std::vector<TapRecord>(), false) {}
  explicit Tap(std::vector<TapRecord> run) : Tap(std::move(run), true) {}
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  const std::vector<TapRecord>& records() const { return records_; }
  /// Whether as many calls came as the replayed run had.
  bool replayed_all() const { return records_.size() == run_.size(); }

 private:
  Tap(std::vector<TapRecord> run, bool replays);
  friend void tap_release(const TapCall&, std::span<const std::int64_t>, std::span<std::int64_t>);
  std::vector<TapRecord> run_;
  bool replays_;
  std::vector<TapRecord> records_;
  Tap* outer_;
};

/// Called by mechanisms, under `if constexpr (kTapped)`: records, and replaces `output` if forced.
void tap_release(const TapCall& call, std::span<const std::int64_t> input,
                 std::span<std::int64_t> output);
/// The same for a selection; returns the index to use.
std::size_t tap_select(const TapCall& call, std::span<const std::int64_t> input,
                       std::size_t chosen);

}  // namespace southwell::privacy
