#include "lab/paper_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab/constants.hpp"
#include "lab/csv_text.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"

namespace southwell::lab {
namespace {

using nlohmann::json;

constexpr const char* kMarker = "cell.json";  // written last: a search without it is not finished

template <class... Fields>
std::string csv_line(const PaperCell& cell, const Fields&... fields) {
  return csv_text(cell.problem, cell.of.solver, cell.of.mode, cell.of.rule, fields...);
}

constexpr const char* kCellColumns = "problem,algorithm,mode,rule,";

/// A table of the output: its name, the columns after those of the cell, and its lines.
struct Table {
  const char* file;
  const char* columns;
  std::string (*lines)(const PaperResult& result, std::size_t runs);
};

std::string result_lines(const PaperResult& result, std::size_t runs) {
  std::string out;
  for (std::size_t s = 0; s < result.tuned.settings.size(); ++s) {
    const PaperSetting& setting = result.tuned.settings[s];
    const ErrorSummary& error = result.tuned.searched[s];
    out += csv_line(result.cell, setting.passes, setting.iterations, setting.clip, setting.step,
                    runs, error.mean, error.least, error.most);
  }
  return out;
}

std::string winner_lines(const PaperResult& result, std::size_t runs) {
  const PaperWinner w = winner_of(result, runs);
  return csv_line(w.cell, w.records, w.features, w.objective, w.error_at_zero, w.optimum_support,
                  w.settings, w.settings_run, w.runs, w.best.passes, w.best.iterations, w.best.clip,
                  w.best.step, w.search.mean, w.search.least, w.search.most, w.fresh_runs,
                  w.fresh.mean, w.fresh.least, w.fresh.most, w.support_right, w.support_wrong,
                  w.share, w.good_steps, w.bad_steps, w.search_seconds, w.fit_seconds);
}

std::string trajectory_lines(const PaperResult& result, std::size_t) {
  std::string out;
  for (const TrajectoryPoint& point : result.trajectory) {
    out += csv_line(result.cell, point.passes, point.iterations, point.error.mean,
                    point.error.least, point.error.most, point.seconds);
  }
  return out;
}

std::string support_lines(const PaperResult& result, std::size_t) {
  std::string out;
  for (const FreshRun& run : result.fresh()) {
    out += csv_line(result.cell, run.seed, run.error, run.support_right, run.support_wrong,
                    result.optimum_support);
  }
  return out;
}

constexpr std::array<Table, 4> kTables{{
    {"results.csv", "passes,iterations,clip,step,runs,error_mean,error_min,error_max",
     result_lines},
    {"winners.csv",
     "records,features,objective,error_at_zero,optimum_support,settings,settings_run,runs,passes,"
     "iterations,clip,step,search_mean,search_min,search_max,fresh_runs,fresh_mean,fresh_min,"
     "fresh_max,support_right,support_wrong,share,good_steps,bad_steps,search_seconds,fit_seconds",
     winner_lines},
    {"trajectories.csv", "passes,iterations,error_mean,error_min,error_max,seconds",
     trajectory_lines},
    {"supports.csv", "seed,error,support_right,support_wrong,optimum_support", support_lines},
}};

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// JSON has no infinity; a missing number is one.
json number(double value) { return std::isfinite(value) ? json(value) : json(); }
double number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

json number(const std::optional<double>& value) { return value ? json(*value) : json(); }
std::optional<double> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

json summary_json(const ErrorSummary& error) {
  return {{"mean", number(error.mean)}, {"min", number(error.least)}, {"max", number(error.most)}};
}
ErrorSummary summary_from(const json& from) {
  return {number(from.at("mean")), number(from.at("min")), number(from.at("max"))};
}

json winner_json(const PaperWinner& winner) {
  return {{"problem", winner.cell.problem},
          {"algorithm", winner.cell.of.solver},
          {"mode", winner.cell.of.mode},
          {"rule", winner.cell.of.rule},
          {"records", winner.records},
          {"features", winner.features},
          {"objective", winner.objective},
          {"error_at_zero", winner.error_at_zero},
          {"optimum_support", winner.optimum_support},
          {"settings", winner.settings},
          {"settings_run", winner.settings_run},
          {"runs", winner.runs},
          {"fresh_runs", winner.fresh_runs},
          {"passes", winner.best.passes},
          {"iterations", winner.best.iterations},
          {"clip", winner.best.clip},
          {"step", winner.best.step},
          {"search", summary_json(winner.search)},
          {"fresh", summary_json(winner.fresh)},
          {"support_right", winner.support_right},
          {"support_wrong", winner.support_wrong},
          {"share", number(winner.share)},
          {"good_steps", number(winner.good_steps)},
          {"bad_steps", number(winner.bad_steps)},
          {"search_seconds", winner.search_seconds},
          {"fit_seconds", winner.fit_seconds}};
}

PaperWinner winner_from(const json& from) {
  return {.cell = {from.at("problem"), {from.at("algorithm"), from.at("mode"), from.at("rule")}},
          .records = from.at("records"),
          .features = from.at("features"),
          .objective = from.at("objective"),
          .error_at_zero = from.at("error_at_zero"),
          .optimum_support = from.at("optimum_support"),
          .settings = from.at("settings"),
          .settings_run = from.at("settings_run"),
          .runs = from.at("runs"),
          .fresh_runs = from.at("fresh_runs"),
          .best = {from.at("passes"), from.at("iterations"), from.at("clip"), from.at("step")},
          .search = summary_from(from.at("search")),
          .fresh = summary_from(from.at("fresh")),
          .support_right = from.at("support_right"),
          .support_wrong = from.at("support_wrong"),
          .share = optional_from(from.at("share")),
          .good_steps = optional_from(from.at("good_steps")),
          .bad_steps = optional_from(from.at("bad_steps")),
          .search_seconds = from.at("search_seconds"),
          .fit_seconds = from.at("fit_seconds")};
}

}  // namespace

PaperWinner winner_of(const PaperResult& result, std::size_t runs) {
  PaperWinner out{.cell = result.cell,
                  .records = result.records,
                  .features = result.features,
                  .objective = result.objective,
                  .error_at_zero = result.error_at_zero,
                  .optimum_support = result.optimum_support,
                  .settings = result.tuned.settings.size(),
                  .settings_run = result.tuned.settings_run,
                  .runs = runs,
                  .fresh_runs = result.fresh().size(),
                  .best = result.tuned.winner(),
                  .search = result.tuned.searched[result.tuned.best],
                  .fresh = result.tuned.fresh_error(),
                  .share = result.share,
                  .good_steps = result.good_steps,
                  .bad_steps = result.bad_steps,
                  .search_seconds = result.search_seconds,
                  .fit_seconds = result.fit_seconds};
  for (const FreshRun& run : result.fresh()) {
    const auto count = static_cast<double>(result.fresh().size());
    out.support_right += static_cast<double>(run.support_right) / count;
    out.support_wrong += static_cast<double>(run.support_wrong) / count;
  }
  return out;
}

PaperFiles::PaperFiles(const PaperOptions& options) : options_(options) {
  make_directory(options.out / "cells");
}

std::filesystem::path PaperFiles::directory(const PaperCell& cell) const {
  return options_.out / "cells" / cell.name();
}

/// What a search's numbers depend on besides the cell.
std::string PaperFiles::inputs(const std::string& sha256) const {
  return json{{"southwell_version", kVersion},
              {"data_sha256", sha256},
              {"grid", options_.extent.is_whole() ? "whole" : "quick"},
              {"runs", options_.tuning.runs},
              {"finalists", options_.tuning.finalists},
              {"final_runs", options_.tuning.final_runs},
              {"fresh", options_.tuning.fresh},
              {"epsilon", options_.tuning.epsilon},
              {"delta", "1/n^2"},
              {"share", number(options_.tuning.share)},
              {"selection", options_.tuning.selection.value_or("auto")},
              {"release", options_.tuning.release.value_or("auto")},
              {"search_seeds", {1, options_.tuning.runs}},
              {"final_seed", kFinalSeed},
              {"fresh_seeds", {kFreshSeed, kFreshSeed + options_.tuning.fresh - 1}},
              {"instance", options_.instance}}
      .dump();
}

std::optional<PaperWinner> PaperFiles::finished(const PaperCell& cell,
                                                const std::string& sha256) const {
  const json marker = json::parse(read_file(directory(cell) / kMarker), nullptr, false);
  if (!marker.is_object() || marker.value("inputs", json()) != json::parse(inputs(sha256))) {
    return {};
  }
  return winner_from(marker.at("winner"));
}

void PaperFiles::write(const PaperResult& result, const std::string& sha256) const {
  const std::filesystem::path place = directory(result.cell);
  std::filesystem::remove(place / kMarker);
  std::filesystem::create_directories(place);
  for (const Table& table : kTables) {
    write_text(place / table.file, std::string(kCellColumns) + table.columns + '\n' +
                                       table.lines(result, options_.tuning.runs));
  }
  const json marker = {{"inputs", json::parse(inputs(sha256))},
                       {"winner", winner_json(winner_of(result, options_.tuning.runs))}};
  write_text(place / kMarker, marker.dump(1) + '\n');
}

void PaperFiles::combine(const std::vector<PaperCell>& cells) const {
  for (const Table& table : kTables) {
    std::string all = std::string(kCellColumns) + table.columns + '\n';
    for (const PaperCell& cell : cells) {
      const std::string part = read_file(directory(cell) / table.file);
      all += part.substr(std::min(part.size(), part.find('\n') + 1));
    }
    write_text(options_.out / table.file, all);
  }
  json manifest = {{"southwell_version", kVersion},
                   {"private", false},
                   {"compiler", __VERSION__},
                   {"error", "(f(w) - f*) / f*"},
                   {"cells", json::array()}};
  for (const PaperCell& cell : cells) {
    manifest["cells"].push_back(json::parse(read_file(directory(cell) / kMarker)));
  }
  write_text(options_.out / "manifest.json", manifest.dump(1) + '\n');
}

void PaperFiles::write_problems(const std::map<std::string, PaperCase>& cases) const {
  std::string problems =
      "problem,records,features,loss,penalty,alpha,objective,error_at_zero,optimum_support,"
      "quasi_sparsity\n";
  std::string optimum = "problem,index,value\n";
  for (const auto& [name, on] : cases) {
    const PaperProblem& problem = paper_problem(name);
    const Instance& instance = on.instance;
    std::uint64_t support = 0;
    for (std::size_t j = 0; j < instance.features(); ++j) {
      const double value = instance.optimum.at.coef[j];
      if (value == 0.0) continue;
      ++support;
      optimum += csv_text(name, std::uint64_t{j}, value);
    }
    problems +=
        csv_text(name, std::uint64_t{instance.records()}, std::uint64_t{instance.features()},
                 std::string(problem.loss), std::string(problem.penalty), problem.alpha,
                 instance.optimum.objective, instance.error_at_zero(), support,
                 quasi_sparsity_alpha(instance.optimum.at.coef, 5));
  }
  write_text(options_.out / "problems.csv", problems);
  write_text(options_.out / "optimum.csv", optimum);
}

std::vector<PaperWinner> run_paper(const PaperOptions& options, core::ThreadPool& pool,
                                   const std::function<void(const PaperWinner&)>& each) {
  const std::vector<PaperCell> cells = paper_cells(options);
  std::optional<PaperFiles> files;
  if (!options.out.empty()) files.emplace(options);
  std::map<std::string, PaperCase> cases;
  double expected = 0.0;
  for (const PaperCell& cell : cells) {
    if (!cases.contains(cell.problem)) {
      cases.emplace(cell.problem, load_case(cell.problem, options, pool));
    }
    expected += expected_cost(cases.at(cell.problem), cell, options);
  }
  double done = 0.0;
  std::vector<PaperWinner> out;
  for (const PaperCell& cell : cells) {
    const PaperCase& on = cases.at(cell.problem);
    const double cost = expected_cost(on, cell, options);
    std::optional<PaperWinner> winner;
    if (files) winner = files->finished(cell, on.sha256);
    if (!winner) {
      PaperOptions own = options;
      own.tuning.progress = [&](double share) {
        if (options.tuning.progress) options.tuning.progress((done + share * cost) / expected);
      };
      const PaperResult result = search(on, cell, own, pool);
      if (files) files->write(result, on.sha256);
      winner = winner_of(result, options.tuning.runs);
    }
    done += cost;
    each(*winner);
    out.push_back(*std::move(winner));
  }
  if (files) {
    files->combine(cells);
    files->write_problems(cases);
  }
  return out;
}

}  // namespace southwell::lab
