#include "southwell/audit/same_fits.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "southwell/core/parallel.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::audit {
namespace {

/// FNV-1a, 64 bits: against accidents, which is all that is asked of it here.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      value_ ^= static_cast<unsigned char>(c);
      value_ *= 1099511628211ULL;
    }
  }
  std::string text() const {
    std::array<char, 20> out{};
    std::snprintf(out.data(), out.size(), "%016llx", static_cast<unsigned long long>(value_));
    return out.data();
  }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

fit::FitSpec spec_of(const char* loss, const char* solver, const char* refine) {
  fit::FitSpec spec;
  spec.objective.loss = loss;
  if (spec.objective.loss == "logistic") spec.classes = {-1.0, 1.0};
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.solver = solver;
  if (spec.solver != "cd") spec.refine = refine;
  spec.threads = 1;
  spec.seed_for_tests = 1;
  return spec;
}

}  // namespace

std::string digest_of_fits() {
  constexpr std::size_t kRecords = 200;
  constexpr std::size_t kFeatures = 30;
  core::ThreadPool pool(1);
  Digest digest;
  for (const auto& [problem, loss] : {std::pair{data::Synthetic::square, "squared"},
                                      std::pair{data::Synthetic::log1, "logistic"}}) {
    const data::Dataset dataset =
        data::generate(problem, {.records = kRecords, .features = kFeatures, .seed = 1}, pool)
            .dataset;
    for (const char* solver : {"gcd", "cd", "sgd"}) {
      for (const char* refine : {"off", "on"}) {
        digest.add(to_json(fit::fit(dataset, spec_of(loss, solver, refine))));
      }
    }
  }
  return digest.text();
}

}  // namespace southwell::audit
