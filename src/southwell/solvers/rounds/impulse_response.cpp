#include "southwell/solvers/rounds/impulse_response.hpp"

namespace southwell::solvers {

/// Backwards: `own` is how the end moves with the iterate after a release, `before` how it moves
/// with the one before that, which momentum remembers.
ImpulseResponse::Response ImpulseResponse::along(const Curvature& curvature) const {
  if (releases_.size() <= first_) return {};
  const double weight = 1.0 / static_cast<double>(releases_.size() - first_);
  Response out;
  double own = 0.0;
  double before = 0.0;
  for (std::size_t t = releases_.size(); t-- > 0;) {
    const Release& release = releases_[t];
    const double after = own + (t >= first_ ? weight : 0.0);
    const double moved = after / (1.0 + release.step * curvature.penalty);  // through the prox
    const double impulse = moved * release.step * release.noise_sd;
    out.variance += impulse * impulse;
    own = before + moved * (1.0 + momentum_ - release.step * curvature.loss);
    before = -momentum_ * moved;
  }
  out.start = own + before;
  return out;
}

}  // namespace southwell::solvers
