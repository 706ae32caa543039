#include "southwell/audit/findings.hpp"

#include <algorithm>
#include <utility>

#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/version.hpp"

namespace southwell::audit {
namespace {

constexpr std::array kVerdicts{Verdict::passes, Verdict::flagged, Verdict::not_run};

nlohmann::json or_null(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

std::optional<double> number_in(const core::JsonPart& part, const char* key) {
  const core::JsonPart value = part.at(key);
  if (value.content().is_null()) return std::nullopt;
  return value.number();
}

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::transcript:
      return "transcript";
    case Level::replay:
      return "replay";
    case Level::mechanisms:
      return "mechanisms";
    case Level::canaries:
      return "canaries";
  }
  return "";
}

std::string_view looks_at(Level level) {
  switch (level) {
    case Level::transcript:
      return "The list of mechanisms in the statement of a model file.";
    case Level::replay:
      return "Fits on pairs of neighbouring data sets of hostile values, the second with the "
             "outputs of the first put in place of its own.";
    case Level::mechanisms:
      return "Each mechanism alone, run many times on two neighbouring inputs.";
    case Level::canaries:
      return "Whole fits on made-up records, each of which is in the data or not by the throw of a "
             "coin.";
  }
  return "";
}

std::string_view can_find(Level level) {
  switch (level) {
    case Level::transcript:
      return "an accountant that charges less than a known attack takes; steps that ran, by what "
             "the model says of itself, and were not charged; sensitivities too small for the "
             "relation; parts that do not add up";
    case Level::replay:
      return "a contribution that is not clipped; a declared sensitivity that is too small; a "
             "scale, a number of steps or a message that depends on a record; a mechanism that ran "
             "and was not charged";
    case Level::mechanisms:
      return "a sampler with too little noise, or with the same noise twice; a charge below what "
             "two inputs show";
    case Level::canaries:
      return "a whole fit that gives away more than it promises, whatever the cause: clipping, "
             "noise and accounting together";
  }
  return "";
}

std::string_view cannot_find(Level level) {
  switch (level) {
    case Level::transcript:
      return "a fit that did not do what its statement says: the file is all that is looked at";
    case Level::replay:
      return "noise of a wrong law, since outputs are put in place of it; values and settings that "
             "were not tried; what does not go through a mechanism and changes nothing in the "
             "model, such as time";
    case Level::mechanisms:
      return "noise a few percent short, or wrong on inputs other than the two; anything outside "
             "the mechanism";
    case Level::canaries:
      return "a loss smaller than the gap between claimed and found; leaks that these records do "
             "not meet. A low figure is no proof of privacy";
  }
  return "";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passes:
      return "passes";
    case Verdict::flagged:
      return "FLAGGED";
    case Verdict::not_run:
      return "not run";
  }
  return "";
}

bool is_flagged(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const LevelFindings& level) {
    return std::any_of(level.findings.begin(), level.findings.end(),
                       [](const Finding& finding) { return finding.verdict == Verdict::flagged; });
  });
}

std::string to_json(const Findings& findings) {
  nlohmann::json levels = nlohmann::json::array();
  for (const LevelFindings& level : findings) {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : level.findings) {
      list.push_back({{"subject", finding.subject},
                      {"verdict", name_of(finding.verdict)},
                      {"unit", finding.unit},
                      {"claimed", or_null(finding.claimed)},
                      {"found", or_null(finding.found)},
                      {"power", or_null(finding.power)},
                      {"words", finding.words}});
    }
    levels.push_back({{"level", name_of(level.level)},
                      {"looks_at", looks_at(level.level)},
                      {"can_find", can_find(level.level)},
                      {"cannot_find", cannot_find(level.level)},
                      {"findings", std::move(list)}});
  }
  return core::dumped({{"southwell_version", kVersion},
                       {"private", true},  // nobody's records are looked at
                       {"flagged", is_flagged(findings)},
                       {"levels", std::move(levels)}},
                      1);
}

Findings from_json(const std::string& text, const std::string& name) {
  constexpr auto kNameOf = [](auto value) { return name_of(value); };
  const nlohmann::json content = core::parsed(text, name, "the findings of an audit");
  Findings out;
  core::JsonPart(content, name).at("levels").for_each([&](const core::JsonPart& level) {
    LevelFindings& here = out.emplace_back();
    here.level = level.at("level").choice(kLevels, kNameOf);
    level.at("findings").for_each([&](const core::JsonPart& part) {
      here.findings.push_back({.subject = part.at("subject").text(),
                               .verdict = part.at("verdict").choice(kVerdicts, kNameOf),
                               .unit = part.at("unit").text(),
                               .claimed = number_in(part, "claimed"),
                               .found = number_in(part, "found"),
                               .power = number_in(part, "power"),
                               .words = part.at("words").text()});
    });
  });
  return out;
}

}  // namespace southwell::audit
