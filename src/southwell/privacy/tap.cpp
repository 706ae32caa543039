#include "southwell/privacy/tap.hpp"

#ifdef SOUTHWELL_INSTRUMENTED
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace southwell::privacy {
namespace {
thread_local Tap* current = nullptr;
}  // namespace

Tap::Tap(std::vector<TapRecord> run, bool replays)
    : run_(std::move(run)), replays_(replays), outer_(std::exchange(current, this)) {}

Tap::~Tap() { current = outer_; }

void tap_release(const TapCall& call, std::span<const std::int64_t> input,
                 std::span<std::int64_t> output) {
  if (current == nullptr) return;
  if (current->replays_) {
    const std::size_t i = current->records_.size();
    if (i == current->run_.size()) {
      throw std::logic_error("tap: the replayed run had no further call");
    }
    const TapRecord& earlier = current->run_[i];
    if (earlier.call.mechanism != call.mechanism || earlier.output.size() != output.size()) {
      throw std::logic_error("tap: the replayed run called " + earlier.call.mechanism +
                             " here, or for another size");
    }
    std::copy(earlier.output.begin(), earlier.output.end(), output.begin());
  }
  current->records_.push_back({call, {input.begin(), input.end()}, {output.begin(), output.end()}});
}

std::size_t tap_select(const TapCall& call, std::span<const std::int64_t> input,
                       std::size_t chosen) {
  auto output = static_cast<std::int64_t>(chosen);
  tap_release(call, input, {&output, 1});
  return static_cast<std::size_t>(output);
}

}  // namespace southwell::privacy
#endif
