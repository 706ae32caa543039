#include "southwell/model/json_part.hpp"

#include "southwell/core/error.hpp"
#include "southwell/model/json_text.hpp"

namespace southwell::model {

void Part::refuse(const std::string& found, const std::string& accepted) const {
  throw DataError(file_ + ": " + (place_.empty() ? "" : place_ + ": ") + found + "; accepted is " +
                  accepted);
}

Part Part::at(const char* key) const {
  const std::optional<Part> part = find(key);
  if (!part) refuse("the key '" + std::string(key) + "' is missing", "a whole southwell model");
  return *part;
}

std::string Part::found() const {
  constexpr std::size_t kFew = 40;
  if (content_.is_structured()) return content_.is_array() ? "a list" : "an object";
  const std::string shown = core::printable(dumped(content_, -1));
  return "given is " + (shown.size() > kFew ? shown.substr(0, kFew) + "..." : shown);
}

}  // namespace southwell::model
