#include "southwell/privacy/tap.hpp"

#ifdef SOUTHWELL_INSTRUMENTED
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace southwell::privacy {
namespace {
thread_local Tap* current = nullptr;
}  // namespace

Tap::Tap(std::vector<std::vector<std::int64_t>> forced_outputs)
    : forced_(std::move(forced_outputs)), outer_(std::exchange(current, this)) {}

Tap::~Tap() { current = outer_; }

std::vector<std::vector<std::int64_t>> Tap::outputs() const {
  std::vector<std::vector<std::int64_t>> all;
  for (const TapRecord& record : records_) all.push_back(record.output);
  return all;
}

void tap_release(const TapCall& call, std::span<const std::int64_t> input,
                 std::span<std::int64_t> output) {
  if (current == nullptr) return;
  const std::size_t i = current->records_.size();
  if (i < current->forced_.size()) {
    if (current->forced_[i].size() != output.size()) {
      throw std::logic_error("tap: the replayed run's output has another size at this call");
    }
    std::copy(current->forced_[i].begin(), current->forced_[i].end(), output.begin());
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
