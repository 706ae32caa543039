#include "lab/paper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lab/paper_files.hpp"
#include "southwell/core/error.hpp"
#include "support/scratch.hpp"

namespace southwell::lab {
namespace {

TEST(PaperGrid, IsThePapersWholeGrid) {
  const auto gcd = paper_grid("gcd", 1000, 100, {});
  const auto cd = paper_grid("cd", 1000, 100, {});
  const auto sgd = paper_grid("sgd", 1000, 100, {});
  EXPECT_EQ(gcd.size(), 7u * 50u * 10u);
  EXPECT_EQ(cd.size(), 9u * 50u * 10u);
  EXPECT_EQ(sgd.size(), 9u * 50u * 10u);
  std::set<std::uint64_t> iterations;
  std::set<double> clips;
  std::set<double> steps;
  for (const PaperSetting& each : cd) {
    iterations.insert(each.iterations);
    clips.insert(each.clip);
    steps.insert(each.step);
  }
  EXPECT_EQ(iterations, (std::set<std::uint64_t>{1, 10, 100, 200, 300, 500, 1000, 2000}));
  EXPECT_EQ(clips.size(), 50u);
  EXPECT_NEAR(*clips.begin(), 1e-4, 1e-16);
  EXPECT_NEAR(*clips.rbegin(), 1e6, 1e-6);
  EXPECT_EQ(steps.size(), 10u);
  EXPECT_NEAR(*steps.begin(), 1e-2, 1e-14);
  EXPECT_NEAR(*steps.rbegin(), 10.0, 1e-12);
  EXPECT_NEAR(sgd.front().step, 1e-6, 1e-18);
  EXPECT_NEAR(sgd.back().step, 1.0, 1e-12);
  EXPECT_EQ(sgd.back().iterations, 20'000u);
  EXPECT_EQ(gcd.back().iterations, 20u);
  EXPECT_THROW(paper_grid("adam", 10, 10, {}), InvalidArgument);
}

TEST(PaperGrid, RunsSettingsThatCoincideOnce) {
  const auto settings = paper_grid("cd", 20640, 8, {});  // 0.001, .01, .1 pass: T = 1
  const auto batches = paper_batches(settings);
  std::size_t run = 0;
  for (const auto& [iterations, members] : batches) {
    run += members.size();
    for (const std::size_t s : members) EXPECT_EQ(settings[s].iterations, iterations);
  }
  EXPECT_EQ(run, 7u * 500u);
  EXPECT_EQ(batches.at(1).size(), 500u);
  const auto places = run_in_place_of(settings);
  for (std::size_t s = 0; s < 500; ++s) {
    EXPECT_EQ(places[s], s);
    EXPECT_EQ(places[500 + s], s);
    EXPECT_EQ(places[1000 + s], s);
    EXPECT_EQ(places[1500 + s], 1500 + s);
  }
}

PaperOptions quick(const std::filesystem::path& out) {
  return {.problems = {"log2"},
          .algorithms = {"gcd"},
          .extent = {.part = PaperExtent::Part::quick},
          .tuning = {.runs = 2, .fresh = 6},
          .data = {},
          .out = out};
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<PaperWinner> run(const PaperOptions& options) {
  core::ThreadPool pool(2);
  return run_paper(options, pool, [](const PaperWinner&) {});
}

TEST(PaperStudy, WritesEverySettingItsWinnersAndWhatTheyReached) {
  const Scratch scratch;
  const PaperOptions options = quick(scratch.path("out"));
  const std::vector<PaperWinner> winners = run(options);
  ASSERT_EQ(winners.size(), 2u);
  for (const PaperWinner& winner : winners) {
    EXPECT_EQ(winner.settings, 3u * 10u * 3u);
    EXPECT_EQ(winner.settings_run, winner.settings);
    EXPECT_LT(winner.search.mean, winner.error_at_zero);
    EXPECT_LE(winner.fresh.least, winner.fresh.mean);
    EXPECT_LE(winner.fresh.mean, winner.fresh.most);
  }
  const auto results = lines_of(scratch.path("out") / "results.csv");
  EXPECT_EQ(results.size(), 1u + 2u * 90u);
  EXPECT_EQ(results[0],
            "problem,algorithm,mode,rule,passes,iterations,clip,step,runs,error_mean,error_min,"
            "error_max");
  EXPECT_EQ(results[1].substr(0, 30), "log2,gcd,paper,gs_s,1,1,0.0002");
  EXPECT_EQ(lines_of(scratch.path("out") / "winners.csv").size(), 1u + 2u);
  EXPECT_EQ(lines_of(scratch.path("out") / "supports.csv").size(), 1u + 2u * 6u);
  EXPECT_EQ(lines_of(scratch.path("out") / "trajectories.csv").size(),
            1u + 2u + winners[0].best.iterations + winners[1].best.iterations);
  std::ifstream in(scratch.path("out") / "manifest.json");
  const auto manifest = nlohmann::json::parse(in);
  EXPECT_EQ(manifest.at("private"), false);
  EXPECT_EQ(manifest.at("cells").at(1).at("winner").at("mode"), "certified");
  EXPECT_EQ(manifest.at("cells").at(0).at("inputs").at("data_sha256").get<std::string>().size(),
            64u);
}

TEST(PaperStudy, GoesOnWhereItStoppedAndBeginsAgainWhereItsInputsChanged) {
  const Scratch scratch;
  PaperOptions options = quick(scratch.path("out"));
  std::size_t asked = 0;
  options.tuning.progress = [&](double share) {
    ++asked;
    if (share > 0.6) throw std::runtime_error("stopped");
  };
  EXPECT_THROW(run(options), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out") / "results.csv"));
  const std::size_t asked_until_stopped = asked;
  options.tuning.progress = [&](double share) {
    ++asked;
    EXPECT_GT(share, 0.45) << "the first search ran again";
  };
  const std::vector<PaperWinner> continued = run(options);
  EXPECT_GT(asked, asked_until_stopped);
  const auto results = lines_of(scratch.path("out") / "results.csv");

  asked = 0;
  const std::vector<PaperWinner> again = run(options);
  EXPECT_EQ(asked, 0u);
  EXPECT_EQ(lines_of(scratch.path("out") / "results.csv"), results);
  EXPECT_EQ(again[1].fresh.mean, continued[1].fresh.mean);

  options.tuning.progress = {};
  options.instance = 2;
  EXPECT_NE(run(options)[0].search.mean, continued[0].search.mean);
}

TEST(PaperStudy, SearchesWithAllThreeAlgorithms) {
  PaperOptions options = quick({});
  options.algorithms = {"gcd", "cd", "sgd"};
  const std::vector<PaperWinner> winners = run(options);
  ASSERT_EQ(winners.size(), 5u);  // sgd has a paper mode alone
  for (const PaperWinner& winner : winners) {
    const std::string& algorithm = winner.cell.of.solver;
    EXPECT_EQ(winner.settings, (algorithm == "gcd" ? 3u : 6u) * 30u);
    // A hundredth of a pass of cd is one iteration here, as a thousandth is.
    EXPECT_EQ(winner.settings_run, (algorithm == "gcd" ? 3u : algorithm == "cd" ? 5u : 6u) * 30u);
    EXPECT_LT(winner.search.mean, winner.error_at_zero);
    EXPECT_LT(winner.fresh.least, winner.error_at_zero);
  }
  EXPECT_EQ(winners[4].cell.name(), "log2-sgd-paper");
}

TEST(PaperStudy, EndsItsTrajectoriesAtTheErrorsOfItsRuns) {
  core::ThreadPool pool(1);
  const PaperOptions options = quick({});
  const PaperCase on = load_case("log2", options, pool);
  const PaperResult found = search(on, {"log2", {"gcd", "certified", "gs_s"}}, options, pool);
  ASSERT_EQ(found.trajectory.size(), found.tuned.winner().iterations + 1);
  EXPECT_NEAR(found.trajectory.front().error.mean, found.error_at_zero, 1e-12);
  EXPECT_NEAR(found.trajectory.back().error.mean, found.tuned.fresh_error().mean, 1e-9);
  EXPECT_NEAR(found.trajectory.back().error.most, found.tuned.fresh_error().most, 1e-9);
  EXPECT_EQ(found.trajectory.back().passes, found.tuned.winner().passes);
}

}  // namespace
}  // namespace southwell::lab
