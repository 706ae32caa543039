#include "southwell/assess/secret_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "assess/tuned.hpp"
#include "model/changed_model.hpp"
#include "southwell/assess/tuning.hpp"
#include "southwell/model/save_json.hpp"

namespace southwell::assess {
namespace {

TEST(SecretRuns, FindTheBestMostOfTheTime) {
  const Tuning tuning(spec_of({100.0, 0.001, 50.0}, "runs"), shape_of(4000));
  const data::Dataset dataset = fit::dataset_of(drawn(4000, 1), 2, Stored::f64);
  int found = 0;
  for (int k = 0; k < 20; ++k) found += *tuning.find(dataset).objective.alpha == 0.001 ? 1 : 0;
  EXPECT_GE(found, 12);
}

// Public numbers alone decide: all settings while they are few, runs of some where they are many.
TEST(SecretRuns, AreTakenWhereTheyLeaveAFitMore) {
  for (const std::size_t count : {2u, 3u, 5u, 20u, 60u}) {
    const Tuning both(spec_of(many(count)), shape_of(2000));
    const Tuning all(spec_of(many(count), "all"), shape_of(2000));
    const Tuning runs(spec_of(many(count), "runs"), shape_of(2000));
    EXPECT_EQ(both.epsilon_of_each(), std::max(all.epsilon_of_each(), runs.epsilon_of_each()));
    EXPECT_EQ(both.plan().runs().has_value(), runs.epsilon_of_each() > all.epsilon_of_each());
    if (count == 2) {
      EXPECT_FALSE(both.plan().runs());
    }
    if (count >= 20) {
      EXPECT_TRUE(both.plan().runs());
    }
    EXPECT_LE(runs.statement().epsilon_spent, 2.0);
    EXPECT_GT(runs.statement().epsilon_spent, 1.9);
  }
}

// By records and epsilon alone.
TEST(SecretRuns, SayWhatToExpectOfThem) {
  const auto expects = [](std::size_t records) {
    return Tuning(spec_of(many(20)), shape_of(records)).plan().expectation();
  };
  EXPECT_NE(expects(2000).find("likely to be better"), std::string::npos);
  EXPECT_NE(expects(20'000).find("likely to do as well"), std::string::npos);
}

// One of the best fifth is tried with a chance of nine in ten.
TEST(SecretRuns, DrawEnoughSettings) {
  for (const std::size_t count : {1u, 4u, 9u, 20u, 100u}) {
    const auto runs = Tuning(spec_of(many(count), "runs"), shape_of(2000)).plan().runs();
    ASSERT_TRUE(runs);
    const auto all = static_cast<double>(count + 1);
    const double best = std::max(1.0, std::floor(all / 5.0));
    EXPECT_LE(runs->chance_of_none(1.0 - best / all), 0.1 + 1e-9);
  }
}

// The number of runs is nowhere: not in the file, nor in what progress is told.
TEST(SecretRuns, ShowNothingOfTheirNumber) {
  const Tuning tuning(spec_of(many(20), "runs"), shape_of(2000));
  const data::Dataset dataset = fit::dataset_of(drawn(2000, 1), 2, Stored::f64);
  std::set<double> shares;
  std::set<std::string> keys;
  for (int k = 0; k < 5; ++k) {
    fit::RunOptions options;
    options.progress = [&](double share) { shares.insert(share); };
    const model::LinearModel model = tuning.find(dataset, std::move(options));
    const nlohmann::json choice = nlohmann::json::parse(model.attachments.choice);
    for (const auto& [key, value] : choice.items()) keys.insert(key);
    EXPECT_EQ(choice["settings"].size(), 20u);
  }
  for (const double share : shares) EXPECT_EQ(share, 0.0);
  for (const std::string& key : keys) {
    EXPECT_TRUE((std::set<std::string>{"settings", "chosen", "way", "iterate"}).contains(key))
        << key;
  }
}

struct Stopped {};

TEST(SecretRuns, AreStoppedByWhoeverAskedForIt) {
  const Tuning tuning(spec_of(many(20), "runs"), shape_of(2000));
  fit::RunOptions options;
  options.progress = [](double) { throw Stopped{}; };
  EXPECT_THROW(tuning.find(fit::dataset_of(drawn(2000, 1), 2, Stored::f64), std::move(options)),
               Stopped);
}

// A run that fails is one with the lowest score, and nobody is told.
TEST(SecretRuns, GoOnAfterOneThatFails) {
  /// Streams of the second run give nothing.
  class Failing final : public privacy::RandomBits {
   public:
    explicit Failing(std::unique_ptr<privacy::RandomBits> bits)
        : RandomBits(Taint::seeded), bits_(std::move(bits)) {}
    std::uint64_t word() override { return bits_->word(); }
    std::unique_ptr<privacy::RandomBits> stream(privacy::Purpose purpose,
                                                std::uint32_t index) override {
      if (purpose == privacy::Purpose::run && index >= 2) throw std::bad_alloc();
      return bits_->stream(purpose, index);
    }

   private:
    std::unique_ptr<privacy::RandomBits> bits_;
  };
  const Tuning tuning(spec_of(many(20), "runs"), shape_of(2000));
  fit::RunOptions options;
  options.bits = std::make_unique<Failing>(std::make_unique<privacy::SeededRandomBits>(1));
  const data::Dataset dataset = fit::dataset_of(drawn(2000, 1), 2, Stored::f64);
  EXPECT_NO_THROW(tuning.find(dataset, std::move(options)));
}

// A file has runs and their law together, and what they cost is computed again.
TEST(SecretRuns, AreRefusedWithoutTheirLaw) {
  const Tuning tuning(spec_of({0.1, 0.01}, "runs"), shape_of(2000));
  const data::Dataset dataset = fit::dataset_of(drawn(2000, 1), 2, Stored::f64);
  const nlohmann::json file = nlohmann::json::parse(to_json(tuning.find(dataset)));
  ASSERT_EQ(model::refusal_of(file), "accepted");
  const auto refusal = [&](const auto& change) {
    nlohmann::json changed = file;
    change(changed["privacy"]);
    return model::refusal_of(changed);
  };
  for (const auto& [said, message] :
       {std::pair{refusal([](auto& p) { p.erase("runs"); }), "a run 'chosen'"},
        std::pair{refusal([](auto& p) { p["runs"]["mean"] = 5000; }), "cost"},
        std::pair{refusal([](auto& p) { p["runs"]["law"] = "x"; }), "poisson or"},
        std::pair{refusal([](auto& p) { p["runs"]["mean"] = 0.5; }), "mean"}}) {
    EXPECT_NE(said.find(message), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace southwell::assess
