#pragma once

#include <chrono>
#include <string>

namespace southwell::cli {

/// Thrown by a progress bar after Ctrl-C; becomes exit code 130.
struct Interrupted {};

/// From now on Ctrl-C and termination end the program with exit code 130: through the progress
/// bar while there is one, so that half-written files are removed; at once otherwise, and at the
/// second time.
void watch_for_interrupt();

/// Whether such a signal has come: whatever fails afterwards fails because of it.
bool was_interrupted();

/// A bar on a terminal for work that takes longer than two seconds; nothing at all elsewhere. It is
/// a core::Progress, and stops the work after Ctrl-C.
class ProgressBar {
 public:
  /// `Estimate::none`: the share alone, for work whose time nobody should be told.
  enum class Estimate { time_left, none };
  explicit ProgressBar(std::string label, Estimate estimate = Estimate::time_left);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void operator()(double share);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  Estimate estimate_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool visible_ = false;
};

}  // namespace southwell::cli
