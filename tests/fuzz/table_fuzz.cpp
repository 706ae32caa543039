// Bytes of a table with a schema: whatever they hold, chunks and threads change nothing, every
// record is read, and its features are finite.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/data/table/read_table.hpp"

using namespace southwell;
using namespace southwell::data;

namespace {

TableEncoding encoding_of(const char* text) {
  return {std::make_shared<const Schema>(Schema::parse(text, "schema")), "schema"};
}

const TableEncoding& encoding(unsigned which) {
  static const std::array<TableEncoding, 3> all{
      encoding_of(R"({"fields": [
        {"name": "u", "type": "string", "southwell": {"role": "unit"}},
        {"name": "a", "type": "number", "constraints": {"minimum": -1, "maximum": 9}},
        {"name": "b", "type": "string", "constraints": {"enum": ["x", "1", "y z"]}},
        {"name": "c", "type": "boolean"},
        {"name": "t", "type": "number", "constraints": {"minimum": 0, "maximum": 5},
         "southwell": {"role": "target"}}],
        "missingValues": ["", "?", "-9"],
        "southwell": {"interactions": "all", "expand": {"a": {"hinges": 2, "bins": 3}}}})"),
      encoding_of(R"({"fields": [
        {"name": "a", "type": "datetime", "constraints": {"minimum": "2000-01-01",
         "maximum": "2030-01-01"}, "southwell": {"parts": ["month", "weekday", "hour"]}},
        {"name": "b", "type": "string", "southwell": {"encode": "hash", "features": 256}},
        {"name": "c", "type": "string", "constraints": {"enum": ["no", "yes"]},
         "southwell": {"role": "target"}}]})"),
      encoding_of(R"({"fields": [{"name": "a", "type": "number", "decimalChar": ",",
         "groupChar": ".", "constraints": {"minimum": 0, "maximum": 100},
         "southwell": {"transform": "log"}}]})")};
  return all[which % all.size()];
}

/// All of it as text, or the message.
std::string image(std::string_view bytes, const TableEncoding& with, const TableOptions& options,
                  std::size_t chunk) {
  MemorySource source(bytes);
  Chunking chunking;
  chunking.chunk_bytes = chunk;
  try {
    const Dataset data = read_table(source, "file", with, options, chunking);
    std::string out = std::to_string(data.records()) + "/" + std::to_string(data.units());
    std::visit(
        [&](const auto& design) {
          for (std::size_t i = 0; i < data.records(); ++i) {
            design.for_each_in_record(i, [&](std::size_t j, double x) {
              if (!std::isfinite(x)) std::abort();
              out += ' ' + std::to_string(j) + ':' + std::to_string(x);
            });
            out += '\n';
          }
        },
        data.design);
    for (const double y : data.target) out += std::to_string(y) + ' ';
    for (const std::string& id : data.ids) out += id + ' ';
    return out;
  } catch (const DataError& error) {
    return error.what();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto choice = static_cast<unsigned char>(data[0]);
  const TableEncoding& with = encoding(choice & 3u);
  TableOptions options;
  options.threads = 1;
  options.use = choice & 4u ? TableUse::fit : TableUse::predict;
  if (choice & 8u) options.delimiter = ';';
  if (choice & 16u) options.delimiter = '\t';
  if (choice & 32u) options.id = "id";
  const std::string_view bytes(data + 1, size - 1);
  const std::string whole = image(bytes, with, options, std::size_t{1} << 20);
  const std::string small = image(bytes, with, options, 7);
  options.threads = 2;
  const std::string threaded = image(bytes, with, options, 16);
  if (whole != small || whole != threaded) {
    std::fprintf(stderr, "broken: chunks or threads change a table\n");
    std::abort();
  }
  return 0;
}
