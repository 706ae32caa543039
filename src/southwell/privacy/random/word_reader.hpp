#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

/// Reads the words of a source many at a time, and never one that nobody uses: the order in which
/// words are used, and where the next reader begins, are as if each had been asked for by itself.
/// Lives within one call of one thread, so that no fork comes between a word and its use. Internal.
class WordReader {
 public:
  explicit WordReader(RandomBits& bits) : bits_(bits) {}
  ~WordReader();  // wipes what the buffer held
  WordReader(const WordReader&) = delete;
  WordReader& operator=(const WordReader&) = delete;

  /// The next so many words will be used, whatever they are. Where it is not known, one will.
  void expect(std::size_t words) { expected_ = words - std::min(words, end_ - next_); }
  std::uint64_t next() {
    if (next_ == end_) refill();
    return words_[next_++];
  }

 private:
  void refill() {
    end_ = std::clamp<std::size_t>(expected_, 1, words_.size());
    expected_ -= std::min(expected_, end_);
    most_ = std::max(most_, end_);
    next_ = 0;
    bits_.words(std::span(words_).first(end_));
  }

  RandomBits& bits_;
  std::size_t expected_ = 0;  ///< beyond those in the buffer
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::size_t most_ = 0;                  ///< that the buffer ever held
  std::array<std::uint64_t, 256> words_;  // NOLINT: filled before it is read
};

}  // namespace southwell::privacy
