#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/linear_model.hpp"

using namespace southwell;

namespace {

/// Text with a checksum that fits: what a fuzzer would never guess, and what lets it reach the
/// rest.
std::string with_checksum(std::string_view text) {
  nlohmann::json content = nlohmann::json::parse(text, nullptr, false);
  if (!content.is_object()) return std::string(text);
  content["format"] = model::kFormat;
  content["checksum"] = model::checksum(content);
  return model::dumped(content, -1);
}

}  // namespace

/// A model is refused as a whole, or reads back the same after it was written.
extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(data + 1, size - 1);
  // Deep nesting is for the reader to refuse, not for the helper above to run into.
  const bool sign = (data[0] & 1) != 0 && bytes.size() < 4096;
  try {
    const model::LinearModel once =
        model::from_json(sign ? with_checksum(bytes) : std::string(bytes), "model");
    const std::string text = model::to_json(once);
    if (model::to_json(model::from_json(text, "again")) != text) {
      std::fprintf(stderr, "reads back differently\n");
      std::abort();
    }
    model::to_text(once.privacy);
  } catch (const DataError&) {
  }
  return 0;
}
