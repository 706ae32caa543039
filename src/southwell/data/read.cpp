#include "southwell/data/read.hpp"

#include <charconv>
#include <stdexcept>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::data {
namespace {

Chunking watched(const ReadOptions& options) {
  Chunking chunking;
  chunking.progress = options.progress;
  return chunking;
}

}  // namespace

Dataset read(const std::filesystem::path& file, const ReadOptions& options) {
  switch (file_format(file)) {
    case FileFormat::csv:
      return read_csv(file, options);
    case FileFormat::libsvm:
      return read_libsvm(file, options);
    case FileFormat::npy:
      return read_npy(file, options);
  }
  throw std::logic_error("read: a format without a reader");
}

Dataset read_csv(const std::filesystem::path& file, const ReadOptions& options) {
  return read_csv(*open_source(file, options.progress), file.string(), options, watched(options));
}

Dataset read_libsvm(const std::filesystem::path& file, const ReadOptions& options) {
  return read_libsvm(*open_source(file, options.progress), file.string(), options,
                     watched(options));
}

Dataset read_npy(const std::filesystem::path& file, const ReadOptions& options) {
  const auto source = open_source(file, options.progress);
  if (!options.target || column_number(*options.target)) {
    return read_npy(*source, file.string(), options, watched(options));
  }
  return read_npy(*source, file.string(), options, watched(options),
                  open_source(*options.target, options.progress).get());
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > kMost ? "...'" : "'");
}

std::optional<std::size_t> column_number(std::string_view text) {
  std::size_t number = 0;
  const char* const last = text.data() + text.size();
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

void check_no_text_columns(const std::string& name, const ReadOptions& options) {
  if (options.id || options.only) {
    throw InvalidArgument(std::string(options.id ? "id" : "only") + ": given, but the columns of " +
                          name + " have no names; accepted for a CSV file");
  }
}

void check_features(const std::string& name, std::size_t features, const ReadOptions& options) {
  if (!options.features || *options.features == features) return;
  throw DataError(name + ": holds " + std::to_string(features) + " features besides the target; " +
                  std::to_string(*options.features) + " are declared, accepted are as many");
}

}  // namespace southwell::data
