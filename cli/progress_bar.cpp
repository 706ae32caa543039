#include "progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "southwell/data/temporary_file.hpp"
#include "standard_streams.hpp"

namespace southwell::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t bars = 0;

void on_interrupt(int) {
  if (bars == 0 || interrupted != 0) {
    data::unlink_temporaries();
    constexpr std::string_view kMessage = "southwell: interrupted\n";
    // Nobody can be told that nobody could be told.
    [[maybe_unused]] const auto lost = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    _exit(130);
  }
  interrupted = 1;
}

}  // namespace

bool was_interrupted() { return interrupted != 0; }

void watch_for_interrupt() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;  // no SA_RESTART: a wait for a pipe ends, and the bar is asked
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error to report, not a way to die
}

ProgressBar::ProgressBar(std::string label, Estimate estimate)
    : label_(std::move(label)), estimate_(estimate) {
  bars = bars + 1;
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
  std::string bar = fmt::format("\r{} [{:#<{}}{:.<{}}] {:3.0f} % ", label_, "", full, "",
                                kWidth - full, 100.0 * share);
  if (estimate_ == Estimate::time_left && share > 0.0) {
    bar += fmt::format(" {:.0f} s left ", since(start_) * (1.0 - share) / share);
  }
  tell(bar);
}

ProgressBar::~ProgressBar() {
  bars = bars - 1;
  if (visible_) tell("\r\033[K");
}

}  // namespace southwell::cli
