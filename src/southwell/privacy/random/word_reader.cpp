#include "southwell/privacy/random/word_reader.hpp"

#include <sodium.h>

namespace southwell::privacy {

WordReader::~WordReader() { sodium_memzero(words_.data(), most_ * sizeof(std::uint64_t)); }

}  // namespace southwell::privacy
