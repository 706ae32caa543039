// southwell-replay: replays fits on neighbours, for `southwell audit --level replay`. It is the
// library compiled with a tap in its mechanisms, which sees what they are given. It fits made-up
// records alone: it reads no file, writes none, and its fits have a seed, which is no guarantee.

#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "neighbours.hpp"
#include "settings.hpp"
#include "southwell/audit/findings.hpp"
#include "southwell/audit/same_fits.hpp"
#include "southwell/core/error.hpp"
#include "tapped_pair.hpp"

namespace southwell::cli::replay {
namespace {

constexpr std::size_t kSizes[] = {1, 3, 9, 33};
constexpr int kPairs = 6;  // of each setting, size and change

struct Family {
  std::size_t pairs = 0;
  std::size_t different = 0;
  std::size_t settings = 0;
  std::string first{};
};

fit::FitSpec changed(fit::FitSpec spec, Change change, std::size_t records) {
  if (change == Change::added) {
    spec.relation = "add_or_remove_one";
    spec.records = records;
  }
  return spec;
}

void note(Family& family, const Setting& setting, std::size_t records, const std::string& what) {
  if (what.empty()) return;
  ++family.different;
  if (family.first.empty()) {
    family.first = setting.name + ", " + std::to_string(records) + " records: " + what;
  }
}

/// Batches and units do not go together, and of a batch of two records there are more.
bool is_possible(const Setting& setting, Change change, std::size_t records) {
  if (setting.finds_scales) return records > 9;  // fewer do not tell a scale from noise
  if (!setting.spec.batch_size) return true;
  return change != Change::unit_replaced && records > 2;
}

void replay(const Setting& setting, Change change, std::size_t records, Family& family) {
  const std::size_t features = records % 2 + records % 3 == 1 ? 11 : 3;
  Neighbours neighbours(records, features, change);
  const fit::FitSpec spec = changed(setting.spec, change, records);
  const data::Dataset any = neighbours.pair(Stored::f64).one;
  fit::DataShape shape = fit::DataShape::of(any);
  shape.features_counted = false;
  const fit::FitPlan plan = fit::plan_fit(spec, shape);
  note(family, setting, records, uncharged(any, plan, 1));
  for (int i = 0; i < kPairs; ++i) {
    const Pair pair = neighbours.pair(static_cast<Stored>(i % 3));
    note(family, setting, records, difference(pair, plan, static_cast<std::uint64_t>(i) + 2));
    ++family.pairs;
  }
}

std::vector<audit::Finding> findings_of(const std::map<std::string, Family>& families) {
  std::vector<audit::Finding> findings;
  for (const auto& [name, family] : families) {
    findings.push_back(
        {.subject = name,
         .verdict = family.different > 0 ? audit::Verdict::flagged : audit::Verdict::passes,
         .unit = "pairs told apart",
         .claimed = 0.0,
         .found = static_cast<double>(family.different),
         .power = std::nullopt,
         .words = family.different > 0 ? family.first
                                       : std::to_string(family.pairs) + " pairs, " +
                                             std::to_string(family.settings) + " settings"});
  }
  findings.push_back({.subject = audit::kSameFits,
                      .verdict = audit::Verdict::passes,
                      .words = audit::digest_of_fits()});
  return findings;
}

std::vector<Setting> settings_of(const std::string& family) {
  std::vector<Setting> all = settings();
  if (family.empty()) return all;
  std::erase_if(all, [&](const Setting& setting) { return setting.family != family; });
  return all;
}

void run(const std::string& family_asked) {
  std::map<std::string, Family> families;
  const std::vector<Setting> all = settings_of(family_asked);
  if (all.empty()) throw InvalidArgument("no family of settings is called '" + family_asked + "'");
  for (std::size_t k = 0; k < all.size(); ++k) {
    Family& family = families[all[k].family];
    ++family.settings;
    for (const Change change : {Change::replaced, Change::added, Change::unit_replaced}) {
      for (const std::size_t records : kSizes) {
        if (is_possible(all[k], change, records)) replay(all[k], change, records, family);
      }
    }
    std::printf("done %zu %zu\n", k + 1, all.size());
    std::fflush(stdout);
  }
  std::printf("%s\n", audit::to_json({{audit::Level::replay, findings_of(families)}}).c_str());
}

}  // namespace
}  // namespace southwell::cli::replay

int main(int argc, char** argv) {
  try {
    southwell::cli::replay::run(argc > 1 ? argv[1] : "");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "southwell-replay: %s\n", error.what());
    return 1;
  }
}
