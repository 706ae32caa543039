#include "southwell/solvers/gcd.hpp"

namespace southwell::solvers {
namespace {

privacy::paper::Rule published(problem::GreedyRule rule) {
  switch (rule) {
    case problem::GreedyRule::gs_s:
      return privacy::paper::Rule::gs_s;
    case problem::GreedyRule::gs_r:
      return privacy::paper::Rule::gs_r;
    case problem::GreedyRule::gs_q:
      break;
  }
  return privacy::paper::Rule::gs_q;
}

}  // namespace

CertifiedGreedy::CertifiedGreedy(Select select, CertifiedRelease release, privacy::RandomBits& bits)
    : select_(select),
      release_(std::move(release)),
      selection_bits_(bits.stream(privacy::Purpose::selection, 0)) {}

PaperGreedy::PaperGreedy(const problem::Coordinates& coordinates,
                         const problem::AnyPenalty& penalty, problem::GreedyRule rule, double noise,
                         privacy::RandomBits& bits)
    : select_(published(rule)),
      public_(coordinates.size()),
      selection_bits_(bits.stream(privacy::Purpose::selection, 0)),
      release_bits_(bits.stream(privacy::Purpose::release, 0)) {
  const problem::KinkedPart kinked = problem::kinked_part(penalty);
  for (std::size_t c = 0; c < public_.size(); ++c) {
    privacy::paper::Coordinate& at = public_[c];
    at.smoothness = coordinates.smoothness(c);
    at.scale =
        noise * static_cast<double>(problem::ProductClip::kBound) * coordinates.gradient_unit(c);
    if (coordinates.is_intercept(c)) continue;
    at.l1 = kinked.l1;
    at.lower = kinked.box.lo;
    at.upper = kinked.box.hi;
  }
}

}  // namespace southwell::solvers
