#pragma once

#include <sodium.h>

#include <span>
#include <string>
#include <vector>

namespace southwell::test {

/// SHA-256 of everything added, as 64 hexadecimal digits.
class Sha256 {
 public:
  Sha256() { crypto_hash_sha256_init(&state_); }

  template <class T>
  Sha256& add(std::span<const T> values) {
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(values.data()),
                              values.size_bytes());
    return *this;
  }
  Sha256& add(const std::string& text) { return add(std::span<const char>(text)); }
  Sha256& add(const std::vector<double>& values) { return add(std::span<const double>(values)); }

  std::string hex() {
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(&state_, digest);
    char text[2 * sizeof(digest) + 1];
    sodium_bin2hex(text, sizeof(text), digest, sizeof(digest));
    return text;
  }

 private:
  crypto_hash_sha256_state state_;
};

}  // namespace southwell::test
