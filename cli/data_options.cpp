#include "data_options.hpp"

#include <algorithm>
#include <functional>

#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/file_name.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/predict.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

void add_data(const Command& command, std::string& file, data::ReadOptions& read) {
  command
      .add_option(
          "DATA", file,
          "The file: .csv, .libsvm, .svm, .npy, each also .gz; - for CSV from standard input")
      .required();
  add_csv_options(command, read);
  command.add_option("--threads", read.threads, "Number of threads [all cores]")
      .check(thread_count());
}

bool is_table(const std::string& file) { return data::file_format(file) == data::FileFormat::csv; }

data::Dataset read_watched(const std::string& file, data::ReadOptions read) {
  ProgressBar reading("reading");
  read.progress = std::ref(reading);
  return data::read(file, read);
}

}  // namespace

void add_data_options(const Command& command, std::string& file, data::ReadOptions& read) {
  add_data(command, file, read);
  command.add_option("--target", read.target,
                     "CSV: the target's name or column number from 0 [target]; "
                     "npy: its column number or a second file");
  command
      .add_option("--features", read.features,
                  "libsvm: number of features; entries beyond it are dropped [the largest "
                  "index; a certified fit wants it declared]")
      .check(whole_number(1));
}

void ModelOptions::add_to(const Command& command) {
  command.add_option("MODEL", model, "The model file that fit wrote").required();
  add_data(command, data, read);
}

void add_csv_options(const Command& command, data::ReadOptions& read) {
  add_text_options(command, read);
  command.add_option(
      "--missing",
      [&read](const std::string& list) {
        read.missing = words_of("--missing", list, "words with commas between them, such as N/A,?");
      },
      "CSV: text that counts as a missing number, with commas between, such as N/A,null,?");
}

void add_text_options(const Command& command, data::ReadOptions& read) {
  command
      .add_option(
          "--delimiter",
          [&read](const std::string& given) {
            const std::string word = given == "tab" || given == "\\t" ? "\t" : given;
            if (word.size() != 1 || data::kDelimiters.find(word) == std::string_view::npos) {
              refuse("--delimiter", given, "a comma, a semicolon, tab or a vertical bar");
            }
            read.delimiter = word.front();
          },
          "CSV: what stands between the fields of a line: a comma, a semicolon, tab or a vertical "
          "bar [,]")
      .kind("TEXT");
  command
      .add_option(
          "--encoding",
          [&read](const std::string& word) {
            read.encoding = word == "utf-8" ? data::Encoding::utf_8 : data::Encoding::latin_1;
          },
          "CSV: what its bytes mean: utf-8, latin-1 [utf-8]")
      .check(one_of({"utf-8", "latin-1"}));
}

void check_unit_column(const std::string& file, const std::optional<std::string>& unit) {
  if (unit && data::file_format(file) != data::FileFormat::csv) {
    refuse("--unit", *unit, "a column of a .csv file, by name or number");
  }
}

data::Units units_of(const data::Dataset& dataset, const std::vector<std::string>& missing) {
  data::UnitCounter counter;
  for (const std::string& text : dataset.ids) {
    const std::string id = without_blanks(text);
    if (id.empty() || std::find(missing.begin(), missing.end(), id) != missing.end()) {
      counter.add_missing();
    } else {
      counter.add(id);
    }
  }
  return counter.take();
}

data::ReadOptions with_target(const std::string& file, data::ReadOptions read) {
  if (!read.target && data::file_format(file) == data::FileFormat::csv) {
    read.target = data::kDefaultTargetName;
  }
  if (!read.target && data::file_format(file) == data::FileFormat::npy) {
    throw InvalidArgument("--target: not given; accepted is for " + file +
                          " a column number from 0 or a second .npy file");
  }
  data::check_options(file, read);
  return read;
}

std::vector<std::string> files_of(const std::string& file, const data::ReadOptions& read) {
  std::vector<std::string> files{file};
  const bool may_be_apart = data::file_format(file) == data::FileFormat::npy && read.target;
  if (may_be_apart && !data::column_number(*read.target)) files.push_back(*read.target);
  return files;
}

data::Dataset read_data(const std::string& file, data::ReadOptions read) {
  return read_watched(file, with_target(file, std::move(read)));
}

std::shared_ptr<const data::TableEncoding> table_in(const std::string& flag,
                                                    const std::string& file) {
  if (file.empty()) return nullptr;
  if (data::is_standard_input(file)) {
    throw InvalidArgument(flag + ": given -, accepted is a file: standard input is for DATA");
  }
  auto schema = std::make_shared<const data::Schema>(data::Schema::from_file(file));
  return std::make_shared<const data::TableEncoding>(std::move(schema), file);
}

void check_is_table(const std::string& flag, const std::string& file) {
  if (is_table(file)) return;
  throw InvalidArgument(flag + ": given for " + file +
                        ", accepted for CSV: .csv, also .gz, or - for standard input");
}

data::Dataset read_raw_table(const std::string& file, const data::TableEncoding& table,
                             const data::ReadOptions& read, data::TableUse use) {
  ProgressBar reading("reading");
  return data::read_table(file, table,
                          {.use = use,
                           .delimiter = read.delimiter,
                           .encoding = read.encoding,
                           .id = read.id,
                           .storage = read.storage,
                           .threads = read.threads,
                           .progress = std::ref(reading)});
}

void check_beside_schema(const data::Schema& schema, const data::ReadOptions& read) {
  const auto target = schema.target();
  if (read.target && target && schema.fields()[*target].name != *read.target) {
    refuse("--target", *read.target,
           "the target of the schema, " + core::quoted(schema.fields()[*target].name) +
               ", or nothing");
  }
  if (!read.missing.empty()) {
    refuse("--missing", read.missing.front(), "missingValues in the schema");
  }
}

data::Dataset read_data_for(const model::LinearModel& model, const std::string& file,
                            data::ReadOptions read, data::TableUse use) {
  const auto table = model::table_of(model);
  if (table && is_table(file)) {
    check_beside_schema(table->schema(), read);
    return read_raw_table(file, *table, read, use);
  }
  if (use != data::TableUse::predict) read = with_target(file, std::move(read));
  const data::FileFormat format = data::file_format(file);
  if (format == data::FileFormat::csv && !model.feature_names.empty()) {
    read.only = model::used_feature_names(model);
  }
  if (format == data::FileFormat::libsvm) read.features = model.features;
  return read_watched(file, std::move(read));
}

}  // namespace southwell::cli
