#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_packed.hpp"
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
  return core::dumped(content, -1);
}

void expect_same_again(const model::LinearModel& model) {
  const std::string text = model::to_json(model);
  if (model::to_json(model::from_json(text, "again")) != text) {
    std::fprintf(stderr, "reads back differently\n");
    std::abort();
  }
}

/// The same numbers over and over, in a model so wide that it is packed.
model::LinearModel widened(model::LinearModel model) {
  const std::size_t times = model::kReadable + 1;
  if (model.features == 0 || model.features > times || !model.feature_names.empty()) return model;
  for (model::Head& head : model.heads) {
    std::vector<model::Coefficient> coef;
    for (std::size_t k = 0; k < times; ++k) {
      for (model::Coefficient c : head.coef) {
        c.index += k * model.features;
        coef.push_back(c);
      }
    }
    head.coef = std::move(coef);
  }
  model.features *= times;
  model.path.clear();
  if (!model.attachments.input_limits.empty()) model.attachments.input_limits = "{}";
  return model;
}

}  // namespace

/// A model is refused as a whole, or reads back the same after it was written; few coefficients as
/// a list, whatever form they had, and many packed.
extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(data + 1, size - 1);
  // Deep nesting is for the reader to refuse, not for the helper above to run into.
  const bool sign = (data[0] & 1) != 0 && bytes.size() < 4096;
  try {
    const model::LinearModel once =
        model::from_json(sign ? with_checksum(bytes) : std::string(bytes), "model");
    expect_same_again(once);
    if ((data[0] & 2) != 0) expect_same_again(widened(once));
    model::to_text(once.privacy);
  } catch (const DataError&) {
  }
  return 0;
}
