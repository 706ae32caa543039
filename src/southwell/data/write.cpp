#include "southwell/data/write.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/csv_text.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/file_writer.hpp"

namespace southwell::data {
namespace {

void append_number(std::string& out, double x) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), x, std::chars_format::general, 17);
  out.append(digits, end.ptr);
}

// A format is a head and a way to put down one record; what is common is in `write_records`.

struct Csv {
  static std::string head(const Dataset& dataset) {
    std::string out;
    for (std::size_t j = 0; j < dataset.features(); ++j) {
      if (j > 0) out += ',';
      append_csv_text(
          out, dataset.feature_names.empty() ? default_feature_name(j) : dataset.feature_names[j]);
    }
    if (dataset.has_target()) {
      if (dataset.features() > 0) out += ',';
      append_csv_text(out, dataset.target_name);
    }
    return out + '\n';
  }
  static void append(std::string& out, const auto& design, std::size_t i, const double* target) {
    std::size_t next = 0;
    const auto fill_zeros_up_to = [&](std::size_t j) {
      for (; next < j; ++next) out += next > 0 ? ",0" : "0";
    };
    design.for_each_in_record(i, [&](std::size_t j, double x) {
      fill_zeros_up_to(j);
      if (j > 0) out += ',';
      append_number(out, x);
      next = j + 1;
    });
    fill_zeros_up_to(design.features());
    if (target != nullptr) {
      if (next > 0) out += ',';
      append_number(out, *target);
    }
    out += '\n';
  }
};

struct Libsvm {
  static std::string head(const Dataset&) { return {}; }
  static void append(std::string& out, const auto& design, std::size_t i, const double* target) {
    append_number(out, target != nullptr ? *target : 0.0);
    design.for_each_in_record(i, [&](std::size_t j, double x) {
      if (x == 0.0) return;
      out += ' ';
      out += std::to_string(j + 1);
      out += ':';
      append_number(out, x);
    });
    out += '\n';
  }
};

struct Npy {
  static_assert(std::endian::native == std::endian::little);

  static std::string head(const Dataset& dataset) {
    const std::size_t columns = dataset.features() + (dataset.has_target() ? 1 : 0);
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" +
                         std::to_string(dataset.records()) + ", " + std::to_string(columns) +
                         "), }";
    header.append(63 - (10 + header.size()) % 64, ' ');  // the numbers start at a multiple of 64
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    return out + header;
  }
  static void append(std::string& out, const auto& design, std::size_t i, const double* target) {
    const std::size_t start = out.size();
    out.resize(start + design.features() * sizeof(double));
    design.for_each_in_record(i, [&](std::size_t j, double x) {
      std::memcpy(out.data() + start + j * sizeof(double), &x, sizeof(double));
    });
    if (target != nullptr) out.append(reinterpret_cast<const char*>(target), sizeof(double));
  }
};

template <class Format>
void write_records(FileWriter& file, const Dataset& dataset, core::ThreadPool& pool,
                   const core::Progress& progress) {
  file.write(Format::head(dataset));
  const std::size_t records = dataset.records();
  // Chunks of about a megabyte of numbers, one per thread at a time, written in order.
  const std::size_t chunk =
      std::max<std::size_t>(1, (std::size_t{1} << 17) / (dataset.features() + 1));
  std::vector<std::string> chunks(static_cast<std::size_t>(pool.threads()));
  for (std::size_t start = 0; start < records; start += chunk * chunks.size()) {
    pool.run(chunks.size(), [&](std::size_t k) {
      chunks[k].clear();
      const std::size_t first = std::min(start + k * chunk, records);
      const std::size_t last = std::min(first + chunk, records);
      std::visit(
          [&](const auto& design) {
            for (std::size_t i = first; i < last; ++i) {
              Format::append(chunks[k], design, i,
                             dataset.has_target() ? &dataset.target[i] : nullptr);
            }
          },
          dataset.design);
    });
    for (const std::string& bytes : chunks) file.write(bytes);
    core::report(progress, std::min(start + chunk * chunks.size(), records), records);
  }
}

}  // namespace

void write(const std::filesystem::path& file, const Dataset& dataset, core::ThreadPool& pool,
           const core::Progress& progress) {
  file_format(file);  // a name that says none leaves nothing behind
  FileWriter out(file);
  write(out, file, dataset, pool, progress);
  out.commit();
}

void write(FileWriter& out, const std::filesystem::path& file, const Dataset& dataset,
           core::ThreadPool& pool, const core::Progress& progress) {
  const auto& names = dataset.feature_names;
  if (dataset.has_target() &&
      std::find(names.begin(), names.end(), dataset.target_name) != names.end()) {
    throw DataError(file.string() + ": a feature and the target are both called '" +
                    core::printable(dataset.target_name) + "'; accepted are distinct names");
  }
  switch (file_format(file)) {
    case FileFormat::csv:
      return write_records<Csv>(out, dataset, pool, progress);
    case FileFormat::libsvm:
      return write_records<Libsvm>(out, dataset, pool, progress);
    case FileFormat::npy:
      return write_records<Npy>(out, dataset, pool, progress);
  }
}

}  // namespace southwell::data
