#include "progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <fmt/core.h>

namespace southwell::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, [](int) {
    interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
  });
}

void ProgressBar::operator()(double share) {
  if (interrupted != 0) throw Interrupted{};
  const auto now = Clock::now();
  const auto since = [&](Clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  if (since(start_) < 2.0 || since(drawn_) < 0.1 || isatty(STDERR_FILENO) == 0) return;
  drawn_ = now;
  visible_ = true;
  share = std::clamp(share, 0.0, 1.0);
  constexpr int kWidth = 30;
  const int full = static_cast<int>(share * kWidth);
  const double left = share > 0.0 ? since(start_) * (1.0 - share) / share : 0.0;
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %  {:.0f} s left ", label_, "", full, "",
             kWidth - full, 100.0 * share, left);
  std::fflush(stderr);
}

ProgressBar::~ProgressBar() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

}  // namespace southwell::cli
