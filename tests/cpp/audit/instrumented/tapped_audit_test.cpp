// What an audit says of the library with the faults: nothing while none is switched on, and
// tools/audited_faults.py sees to it that it does with each.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fit/tapped.hpp"
#include "southwell/audit/canaries.hpp"
#include "southwell/audit/mechanisms.hpp"
#include "southwell/audit/transcript.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::audit {
namespace {

void expect_none_flagged(const std::vector<Finding>& findings, const std::string& what = "") {
  for (const Finding& finding : findings) {
    EXPECT_EQ(name_of(finding.verdict), "passes")
        << what << finding.subject << ": " << finding.words << ", claimed "
        << finding.claimed.value_or(0.0) << ", found " << finding.found.value_or(0.0);
  }
}

TEST(TappedAudit, FlagsNoMechanism) { expect_none_flagged(audit_mechanisms({.repeats = 1})); }

TEST(TappedAudit, FlagsNoCanary) {
  expect_none_flagged(audit_canaries({.canaries = 20'000, .epsilons = {1.0, 4.0}}));
}

/// Fits by every solver, with what mechanisms find of their scales.
std::vector<fit::FitSpec> specs() {
  std::vector<fit::FitSpec> all;
  for (const std::string solver : {"gcd", "cd", "sgd"}) {
    for (const std::string refine : {"off", "on"}) {
      if (solver == "cd" && refine == "on") continue;
      for (const std::string loss : {"squared", "logistic"}) {
        fit::FitSpec spec;
        spec.objective.loss = loss;
        if (loss == "logistic") spec.classes = {-1.0, 1.0};
        spec.epsilon = 1.0;
        spec.delta = 1e-6;
        spec.solver = solver;
        if (solver != "cd") spec.refine = refine;
        if (refine == "on" && solver == "gcd") spec.select_iterate = true;
        if (refine == "on" && solver == "sgd" && loss == "logistic") {
          spec.record_norm_private = true;
          spec.calibrate_probabilities = true;
        }
        if (refine == "off" && solver == "sgd") spec.batch_size = 100;
        all.push_back(spec);
      }
    }
  }
  return all;
}

TEST(TappedAudit, FlagsNoTranscript) {
  const std::vector<fit::Record> records = fit::random_records(2000, 5, 3);
  const data::Dataset dataset = fit::dataset_of(records, 5, fit::Stored::f64);
  for (const fit::FitSpec& spec : specs()) {
    const fit::LinearModel model = fit::fit(dataset, spec);
    const std::string what =
        *spec.solver + " " + spec.refine.value_or("") + " " + spec.objective.loss + ": ";
    // What is refused where models are read is flagged there.
    EXPECT_NO_THROW(model::check_guarantee(model.privacy)) << what;
    EXPECT_EQ(audit_transcript(model).size(), 7u) << what;
    expect_none_flagged(audit_transcript(model), what);
  }
}

TEST(TappedAudit, HasNothingToSayOfATranscriptWithoutAPromise) {
  const std::vector<fit::Record> records = fit::random_records(200, 2, 3);
  fit::FitSpec spec = fit::small_spec("squared");
  spec.seed_for_tests = 1;
  const auto findings =
      audit_transcript(fit::fit(fit::dataset_of(records, 2, fit::Stored::f64), spec));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::not_run);
}

}  // namespace
}  // namespace southwell::audit
