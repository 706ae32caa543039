#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace southwell::audit {

/// How deep an audit looks; each level finds what the others cannot (docs/audit.md).
enum class Level { transcript, replay, mechanisms, canaries };
inline constexpr std::array kLevels{Level::transcript, Level::replay, Level::mechanisms,
                                    Level::canaries};

std::string_view name_of(Level level);
/// What the level looks at, what it would find, and what it cannot: whole sentences.
std::string_view looks_at(Level level);
std::string_view can_find(Level level);
std::string_view cannot_find(Level level);

enum class Verdict { passes, flagged, not_run };
std::string_view name_of(Verdict verdict);

/// One thing that was checked. `claimed` and `found` are in the unit that `unit` names; absent
/// where the check has no number.
struct Finding {
  std::string subject;
  Verdict verdict = Verdict::passes;
  std::string unit{};
  std::optional<double> claimed{};
  std::optional<double> found{};
  /// Share of audits of the same thing with half the noise that were flagged.
  std::optional<double> power{};
  std::string words{};  ///< what was tried, or what is wrong
};

struct LevelFindings {
  Level level;
  std::vector<Finding> findings;
};
using Findings = std::vector<LevelFindings>;

bool is_flagged(const Findings& findings);

/// For people, for programs, and for a browser.
std::string to_text(const Findings& findings);
std::string to_json(const Findings& findings);
std::string to_html(const Findings& findings);

/// The findings in what `to_json` wrote. Throws DataError, beginning with `name`.
Findings from_json(const std::string& text, const std::string& name);

}  // namespace southwell::audit
