#pragma once

#include <atomic>
#include <cstdint>

namespace southwell::privacy {

/// Tells a forked child from its parent, for things that must not be used on both sides: keys,
/// buffers of random words, noise drawn in advance (random_bits.md). Internal.
class ForkGeneration {
 public:
  /// The generation of this process: at least 1, the same for as long as the process lives, and
  /// larger in a child than in its parent. Throws EntropyError if forks cannot be noticed here.
  static ForkGeneration now();

  /// Whether a fork lies between `now()` and here. One load: the kernel sets the word to zero in
  /// every child, and no generation is zero.
  bool has_ended() const { return kernel_word_->load(std::memory_order_relaxed) != number_; }

 private:
  ForkGeneration(const std::atomic<std::uint64_t>* kernel_word, std::uint64_t number)
      : kernel_word_(kernel_word), number_(number) {}

  const std::atomic<std::uint64_t>* kernel_word_;
  std::uint64_t number_;
};

}  // namespace southwell::privacy
