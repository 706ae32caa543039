#include "audit_replay.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "southwell/audit/same_fits.hpp"
#include "southwell/core/error.hpp"

namespace southwell::cli {
namespace {

constexpr const char* kProgram = "southwell-replay";
constexpr std::string_view kDone = "done ";  // then how many settings it has done, and of how many

/// Where this program is, and the other one has to be.
std::filesystem::path beside_this() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / kProgram;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Starts the program; `from` is its standard output.
pid_t start(const std::string& program, std::unique_ptr<std::FILE, CloseFile>& from) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw DataError(program + ": cannot be started");
  from.reset(fdopen(ends[0], "r"));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = kProgram;
  std::array<char*, 2> arguments{name.data(), nullptr};
  pid_t child = -1;
  const int failed =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) throw DataError(program + ": cannot be started");
  return child;
}

/// All that it prints, and meanwhile how far it is.
std::string output_of(std::FILE* from, const core::Progress& progress) {
  std::string out;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), from) != nullptr) {
    if (!std::string_view(line.data()).starts_with(kDone)) {
      out += line.data();
      continue;
    }
    char* rest = nullptr;
    const std::size_t done = std::strtoul(line.data() + kDone.size(), &rest, 10);
    core::report(progress, done, std::strtoul(rest, nullptr, 10));
  }
  return out;
}

/// The digest that the other program found, beside this one's.
void compare_fits(audit::Finding& finding) {
  const std::string mine = audit::digest_of_fits();
  const bool is_same = finding.words == mine;
  finding.verdict = is_same ? audit::Verdict::passes : audit::Verdict::flagged;
  finding.words = is_same ? "12 fits with a seed have the same models, to the last bit"
                          : "what was replayed is not what this program fits: digest " +
                                finding.words + " against " + mine;
}

}  // namespace

std::vector<audit::Finding> replay_findings(const core::Progress& progress) {
  const std::filesystem::path program = beside_this();
  if (!std::filesystem::exists(program)) {
    return {{.subject = "replay",
             .verdict = audit::Verdict::not_run,
             .words = std::string(kProgram) + " is not beside this program"}};
  }
  std::unique_ptr<std::FILE, CloseFile> from;
  const pid_t child = start(program.string(), from);
  const std::string text = output_of(from.get(), progress);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return {{.subject = "replay",
             .verdict = audit::Verdict::flagged,
             .words = std::string(kProgram) + " did not come to its end"}};
  }
  audit::Findings found = audit::from_json(text, kProgram);
  std::vector<audit::Finding> out;
  for (audit::LevelFindings& level : found) {
    for (audit::Finding& finding : level.findings) {
      if (finding.subject == audit::kSameFits) compare_fits(finding);
      out.push_back(std::move(finding));
    }
  }
  return out;
}

}  // namespace southwell::cli
