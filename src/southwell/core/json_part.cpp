#include "southwell/core/json_part.hpp"

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"

namespace southwell::core {

void JsonPart::refuse(const std::string& found, const std::string& accepted) const {
  throw DataError(file_ + ": " + (place_.empty() ? "" : place_ + ": ") + found + "; accepted is " +
                  accepted);
}

JsonPart JsonPart::at(const char* key) const {
  const std::optional<JsonPart> part = find(key);
  if (!part) refuse("the key '" + std::string(key) + "' is missing", "a file that has it");
  return *part;
}

std::string JsonPart::found() const {
  constexpr std::size_t kFew = 40;
  if (content_.is_structured()) return content_.is_array() ? "a list" : "an object";
  const std::string shown = printable(dumped(content_, -1));
  return "given is " + (shown.size() > kFew ? shown.substr(0, kFew) + "..." : shown);
}

}  // namespace southwell::core
