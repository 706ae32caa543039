#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "audit_replay.hpp"
#include "commands.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/audit/canaries.hpp"
#include "southwell/audit/findings.hpp"
#include "southwell/audit/mechanisms.hpp"
#include "southwell/audit/transcript.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string model;
  std::vector<std::string> levels;
  bool json = false;
  std::string html;
};

/// A model that is refused where models are read has failed; one that cannot be opened is an error
/// of whoever named it.
std::vector<audit::Finding> transcript_of(const std::string& file) {
  data::open_source(file);
  try {
    return audit::audit_transcript(model::load(file));
  } catch (const DataError& error) {
    return {{.subject = "model file", .verdict = audit::Verdict::flagged, .words = error.what()}};
  }
}

std::vector<audit::Finding> findings_of(audit::Level level, const Options& options) {
  ProgressBar bar("audit of " + std::string(audit::name_of(level)));
  const core::Progress progress = [&bar](double share) { bar(share); };
  switch (level) {
    case audit::Level::transcript:
      return transcript_of(options.model);
    case audit::Level::replay:
      return replay_findings(progress);
    case audit::Level::mechanisms:
      return audit::audit_mechanisms({.progress = progress});
    case audit::Level::canaries:
      return audit::audit_canaries({.progress = progress});
  }
  return {};
}

/// Those asked for in their order; all where nothing was asked for, a transcript only of a model.
std::vector<audit::Level> levels_of(const Options& options) {
  std::vector<audit::Level> levels;
  for (const audit::Level level : audit::kLevels) {
    const bool is_asked = std::count(options.levels.begin(), options.levels.end(),
                                     std::string(audit::name_of(level))) > 0;
    const bool is_model = level == audit::Level::transcript && !options.model.empty();
    const bool is_standard = level != audit::Level::transcript || is_model;
    if (options.levels.empty() ? is_standard : is_asked) levels.push_back(level);
  }
  const bool reads = std::count(levels.begin(), levels.end(), audit::Level::transcript) > 0;
  if (reads && options.model.empty()) {
    throw InvalidArgument(
        "--model: given none, accepted is the model file whose statement the "
        "level transcript looks at");
  }
  if (!reads && !options.model.empty()) {
    throw InvalidArgument("--model: given " + options.model +
                          ", accepted is none for these levels: only transcript reads a model");
  }
  return levels;
}

void run(const Options& options) {
  const std::vector<audit::Level> levels = levels_of(options);
  const Output html{"--html", options.html};
  check_outputs({html}, options.model.empty() ? std::vector<std::string>{}
                                              : std::vector<std::string>{options.model});
  const std::unique_ptr<data::FileWriter> writer = open_output(html);
  audit::Findings findings;
  for (const audit::Level level : levels) {
    findings.push_back({level, findings_of(level, options)});
  }
  if (writer) {
    write_output(writer.get(), audit::to_html(findings));
  } else {
    fmt::print("{}", options.json ? audit::to_json(findings) + "\n" : audit::to_text(findings));
  }
  if (audit::is_flagged(findings)) throw AuditFailed();
}

}  // namespace

void add_audit(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("audit", "What can be checked on this machine about the promise");
  command.add_option("--model", options->model, "The model whose statement is looked at");
  command
      .add_option("--level", options->levels,
                  "transcript, replay, mechanisms or canaries; may be given again [all, transcript "
                  "only with --model]")
      .check(one_of({"transcript", "replay", "mechanisms", "canaries"}));
  command.add_flag("--json", options->json, "Print JSON instead of text");
  command
      .add_option("--html", options->html,
                  "Write the findings as a page for a browser, with all it needs")
      .excludes("--json");
  command.footer(
      "No records are read: fits are on made-up ones. Every level says what it can find and what\n"
      "it cannot. Exit code 1 means that something was flagged. The level replay is run by the\n"
      "program southwell-replay beside this one, which is compiled with a tap in its mechanisms;\n"
      "this program has none.\n\n"
      "Examples:\n"
      "  southwell audit\n"
      "  southwell audit --model model.json --level transcript\n"
      "  southwell audit --level mechanisms --level canaries --json\n"
      "  southwell audit --model model.json --html audit.html\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
