#include "southwell/fit/algorithm.hpp"

namespace southwell::fit {

void end_path(Solved& solved) {
  std::vector<bool> is_settled(solved.coef.size());
  for (auto step = solved.path.rbegin(); step != solved.path.rend(); ++step) {
    if (is_settled[step->coordinate]) continue;
    step->value = solved.coef[step->coordinate];
    is_settled[step->coordinate] = true;
  }
}

}  // namespace southwell::fit
