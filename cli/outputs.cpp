#include "outputs.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "southwell/core/error.hpp"
#include "southwell/data/file_name.hpp"

namespace southwell::cli {
namespace {

namespace fs = std::filesystem;

/// Whether two names lead to one file, which need not be there yet.
bool same_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code not_there;
  if (fs::equivalent(one, other, not_there)) return true;
  std::error_code unknown;
  const fs::path first = fs::weakly_canonical(fs::absolute(one), unknown);
  const fs::path second = fs::weakly_canonical(fs::absolute(other), unknown);
  return !unknown && first == second;
}

[[noreturn]] void refuse(const Output& output, const std::string& why) {
  throw InvalidArgument(std::string(output.flag) + ": given " + output.file + ", which " + why);
}

}  // namespace

void check_outputs(const std::vector<Output>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Output& output = outputs[k];
    if (output.file.empty()) continue;
    const std::string unfit = data::unfit_to_write(output.file);
    if (!unfit.empty()) refuse(output, unfit);
    for (const std::string& input : inputs) {
      if (same_file(output.file, input)) refuse(output, "is read; accepted is another file");
    }
    for (std::size_t before = 0; before < k; ++before) {
      if (!same_file(output.file, outputs[before].file)) continue;
      refuse(output,
             std::string("is the file of ") + outputs[before].flag + "; accepted is another file");
    }
  }
}

std::unique_ptr<data::FileWriter> open_output(const Output& output) {
  if (output.file.empty()) return nullptr;
  try {
    return std::make_unique<data::FileWriter>(output.file);
  } catch (const DataError& error) {
    throw DataError(std::string(output.flag) + ": " + error.what() +
                    "; accepted is a place that can be written");
  }
}

void write_piece(data::FileWriter* file, std::string_view text) {
  if (file != nullptr) return file->write(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    throw DataError("standard output cannot be written");
  }
}

void write_output(data::FileWriter* file, std::string_view text) {
  write_piece(file, text);
  if (file != nullptr) file->commit();
}

void check_output_directory(const Output& output) {
  std::error_code unknown;
  const bool there = fs::exists(fs::symlink_status(output.file, unknown));
  if (!output.file.empty() && there && !fs::is_directory(output.file, unknown)) {
    refuse(output, "is no directory; accepted is one, or a name for a new one");
  }
}

}  // namespace southwell::cli
