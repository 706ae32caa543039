#pragma once

#include <cstdint>

#include "southwell/core/progress.hpp"
#include "southwell/solvers/rounds/descent.hpp"

namespace southwell::solvers {

/// How many of the events of a fit are done: all that a progress bar may tell.
class RoundsProgress {
 public:
  RoundsProgress(const core::Progress& progress, std::uint64_t events)
      : progress_(progress), events_(static_cast<double>(events)) {}

  void advance() { report(done_ += 1.0); }

  /// A descent that reports its releases; they count as done from then on.
  DescentOptions watched(DescentOptions descent) {
    const double before = done_;
    const auto releases = static_cast<double>(descent.schedule.releases);
    done_ += releases;
    descent.progress = [this, before, releases](double share) {
      report(before + share * releases);
    };
    return descent;
  }

 private:
  void report(double done) const {
    if (progress_) progress_(done / events_);
  }

  const core::Progress& progress_;
  double events_;
  double done_ = 0.0;
};

}  // namespace southwell::solvers
