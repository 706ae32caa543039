#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::data {
namespace {

constexpr std::size_t kMostFeatures = std::numeric_limits<std::int32_t>::max();
/// One entry must not be able to ask for gigabytes of empty columns on its own.
constexpr std::size_t kMostInferredFeatures = std::size_t{1} << 24;

/// The records of one chunk, up to its first fault.
struct ParsedRecords {
  std::vector<double> target;
  std::vector<std::int64_t> ends;  // of each record's entries, counted within the chunk
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  std::size_t features = 0;  // the largest index
  std::exception_ptr fault;
};

/// Runs over the lines of one chunk.
class LibsvmParser {
 public:
  LibsvmParser(const ReadOptions& options, const std::string& name, const Chunk& chunk)
      : name_(name),
        most_(options.features.value_or(kMostInferredFeatures)),
        drop_beyond_(options.features.has_value()),
        at_(chunk.begin()),
        end_(chunk.end()),
        line_(chunk.first_line()) {
    records_.target.reserve(chunk.lines());
    records_.ends.reserve(chunk.lines());
    const auto colons = static_cast<std::size_t>(std::count(at_, end_, ':'));
    records_.indices.reserve(colons);
    records_.values.reserve(colons);
  }

  ParsedRecords parse() && {
    try {
      for (; at_ != end_; ++line_) {
        if (!at_line_end()) record();
        if (*at_ == '#') at_ = static_cast<const char*>(std::memchr(at_, '\n', left()));
        at_ += *at_ == '\r' ? 2 : 1;
      }
    } catch (const DataError&) {
      records_.fault = std::current_exception();
    }
    return std::move(records_);
  }

 private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  [[noreturn]] void refuse(const std::string& what) const {
    throw DataError(name_ + ":" + std::to_string(line_) + ": " + what);
  }

  /// Skips blanks; whether a comment or the line break comes next.
  bool at_line_end() {
    while (is_blank(*at_)) ++at_;
    return *at_ == '\n' || *at_ == '#' || (*at_ == '\r' && at_[1] == '\n');
  }

  void record() {
    double label = 0.0;
    if (!number(label))
      refuse("the first field is not a number; accepted is the target, then index:value pairs");
    std::int64_t previous = 0;
    for (std::size_t field = 1; !at_line_end(); ++field) {
      const std::int64_t index = feature_index(field);
      if (index <= previous) refuse_order(field, index, previous);
      previous = index;
      double value = 0.0;
      if (!number(value)) {
        refuse("field " + std::to_string(field) +
               " has no number after its colon; accepted are "
               "index:value pairs");
      }
      const auto count = static_cast<std::size_t>(index);
      if (count > most_) {
        if (drop_beyond_) continue;
        refuse("field " + std::to_string(field) + " has an index above " + std::to_string(most_) +
               "; accepted beyond it are declared features only");
      }
      records_.features = std::max(records_.features, count);
      records_.indices.push_back(static_cast<std::int32_t>(index - 1));
      records_.values.push_back(value);
    }
    records_.target.push_back(label);
    records_.ends.push_back(static_cast<std::int64_t>(records_.values.size()));
  }

  /// A number with a blank, a comment or the line's end after it.
  bool number(double& value) {
    const char* stop = parse_decimal(at_, end_, value);
    if (stop != at_ && ends_field(stop)) {
      at_ = stop;
      return true;
    }
    for (stop = at_; !ends_field(stop);) ++stop;
    const std::string_view text(at_, static_cast<std::size_t>(stop - at_));
    at_ = stop;
    return parse_number(text, value);
  }

  static bool ends_field(const char* p) {
    return is_blank(*p) || *p == '\n' || *p == '#' || (*p == '\r' && p[1] == '\n');
  }

  /// Reads "index:".
  std::int64_t feature_index(std::size_t field) {
    const char* p = at_;
    std::int64_t index = 0;
    constexpr std::ptrdiff_t kMostDigits = 18;  // what 64 bits hold
    for (; is_digit(*p) && p - at_ < kMostDigits; ++p) index = index * 10 + (*p - '0');
    if (p == at_ || *p != ':') refuse_index(field);
    at_ = p + 1;
    return index;
  }

  [[noreturn]] void refuse_index(std::size_t field) const {
    const std::string_view rest(at_, left());
    if (rest.starts_with("qid:")) {
      refuse("field " + std::to_string(field) +
             " is a query (qid:); ranking files are not "
             "accepted, only index:value pairs");
    }
    refuse("field " + std::to_string(field) +
           " is not an index and a colon; accepted are "
           "index:value pairs, indices being whole numbers from 1 with at most 18 digits");
  }

  [[noreturn]] void refuse_order(std::size_t field, std::int64_t index,
                                 std::int64_t previous) const {
    const std::string what = "field " + std::to_string(field);
    if (index == 0) refuse(what + " has index 0; accepted are indices from 1");
    refuse(what +
           (index == previous ? " repeats the index before it"
                              : " has a smaller index than the one before it") +
           "; accepted are increasing indices");
  }

  const std::string& name_;
  std::size_t most_;
  bool drop_beyond_;
  const char* at_;
  const char* end_;
  std::size_t line_;
  ParsedRecords records_;
};

/// The records so far, put one behind the other as their chunks arrive.
struct Gathered {
  Compressed lists{{0}, {}, {}};
  std::vector<double> target;
  std::size_t features = 0;

  /// Room for as much as the file will hold if it goes on as in its first part: untouched room
  /// costs nothing, moving does.
  void expect(const ParsedRecords& first, double times) {
    const auto room = [&](std::size_t count) {
      return static_cast<std::size_t>(static_cast<double>(count) * times * 1.1) + 1;
    };
    target.reserve(room(first.target.size()));
    lists.offsets.reserve(room(first.ends.size()) + 1);
    lists.indices.reserve(room(first.indices.size()));
    lists.values.reserve(room(first.values.size()));
  }

  void add(const ParsedRecords& part) {
    const std::int64_t first = lists.offsets.back();
    for (const std::int64_t end : part.ends) lists.offsets.push_back(first + end);
    lists.indices.insert(lists.indices.end(), part.indices.begin(), part.indices.end());
    lists.values.insert(lists.values.end(), part.values.begin(), part.values.end());
    target.insert(target.end(), part.target.begin(), part.target.end());
    features = std::max(features, part.features);
  }
};

}  // namespace

void check_libsvm_options(const std::string& name, const ReadOptions& options) {
  check_no_text_columns(name, options);
  if (options.target) {
    throw InvalidArgument("target: given " + quoted_field(*options.target) +
                          ", not accepted for a libsvm file: its first field is the target");
  }
  if (options.storage == Storage::f32) {
    throw InvalidArgument("storage: given f32, accepted for a libsvm file is f64");
  }
  if (options.features && (*options.features == 0 || *options.features > kMostFeatures)) {
    throw InvalidArgument("features: given " + std::to_string(*options.features) +
                          ", accepted are 1 to " + std::to_string(kMostFeatures));
  }
}

Dataset read_libsvm(ByteSource& source, const std::string& name, const ReadOptions& options,
                    const Chunking& chunking) {
  check_libsvm_options(name, options);
  core::ThreadPool pool(options.threads);
  auto reader = ChunkReader::lines(source, name, chunking);
  std::vector<Chunk> batch;
  reader.fill(batch, 1);
  const bool empty = batch.empty();
  const std::size_t first_bytes = empty ? 1 : batch[0].size();
  const std::size_t more_bytes = source.size_left().value_or(0);
  Gathered all;
  for_each_chunk(
      reader, std::move(batch), pool,
      [&](const Chunk& chunk) { return LibsvmParser(options, name, chunk).parse(); },
      [&](const ParsedRecords& part) {
        if (part.fault) std::rethrow_exception(part.fault);
        if (all.target.capacity() == 0) {
          const double parts = static_cast<double>(more_bytes) / static_cast<double>(first_bytes);
          all.expect(part, 1.0 + std::min(parts, 1024.0));
        }
        all.add(part);
      });
  // Declared features make a design without records: add_or_remove_one has such neighbours.
  if (all.target.empty() && !options.features) {
    throw DataError(name +
                    ": the file holds no record; accepted are lines of a target and "
                    "index:value pairs");
  }
  const std::size_t features = options.features.value_or(all.features);
  return {SparseDesign::from_records(std::move(all.lists), features, pool),
          std::move(all.target),
          {},
          kDefaultTargetName};
}

}  // namespace southwell::data
