#include "southwell/model/base64.hpp"

#include <sodium.h>

#include <string>

namespace southwell::model {

void encode_base64(std::span<const unsigned char> block,
                   const std::function<void(std::string_view)>& sink) {
  std::string text(base64_length(block.size()) + 1, '\0');  // the library ends it with NUL
  sodium_bin2base64(text.data(), text.size(), block.data(), block.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  sink(std::string_view(text).substr(0, text.size() - 1));
}

bool decode_base64(std::string_view text, std::span<unsigned char> block) {
  std::size_t size = 0;
  return sodium_base642bin(block.data(), block.size(), text.data(), text.size(), nullptr, &size,
                           nullptr, sodium_base64_VARIANT_ORIGINAL) == 0 &&
         size == block.size();
}

}  // namespace southwell::model
