// A schema is refused with a DataError, or it can be encoded and reads its own text again.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/data/table/table_encoding.hpp"

using namespace southwell;

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  try {
    const auto schema =
        std::make_shared<const data::Schema>(data::Schema::parse({data, size}, "schema"));
    expect(data::Schema::parse(schema->text(), "schema").text() == schema->text(), "round trip");
    const data::TableEncoding encoding(schema, "schema");
    if (encoding.features() > 10'000) return 0;  // as good as fewer, and slower
    expect(encoding.feature_names().size() == encoding.features(), "a name for each feature");
    for (const double scale : encoding.feature_scales()) expect(scale > 0.0, "scales above 0");
    expect(encoding.record_norm() > 0.0, "a norm above 0");
    for (std::size_t j = 0; j < encoding.features(); ++j) {
      const auto terms = encoding.in_user_terms(j);
      expect(terms.slope == terms.slope && terms.constant == terms.constant, "terms are numbers");
    }
  } catch (const DataError&) {
  }
  return 0;
}
