#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "southwell/privacy/random/fork_generation.hpp"

namespace southwell::privacy {

/// Where random bits come from. Only `system` supports a guarantee: whatever was made with the
/// other two has to say so.
enum class Origin { system, seeded, scripted };

/// What a sub-stream is for. One fit draws each kind of noise from a stream of its own.
enum class Purpose : std::uint32_t {
  selection = 1,
  release = 2,
  sampling = 3,
  target_scale = 4,
  record_norm = 5,
  iterate = 6,
  split = 7,    ///< which units are in which part
  figures = 8,  ///< of a model on a part of the units: a stream with streams of its own
  run = 9,      ///< 0: how many runs there are; from 1 on: one of several fits, likewise
};

/// A source of independent uniform bits, used by one thread at a time. Virtual because tests
/// replace it.
class RandomBits {
 public:
  virtual ~RandomBits() = default;
  RandomBits(const RandomBits&) = delete;  // a copy would give the same bits, or borrow an origin
  RandomBits& operator=(const RandomBits&) = delete;

  /// 64 fresh bits.
  virtual std::uint64_t word() = 0;
  /// The words that as many calls of `word` would give.
  virtual void words(std::span<std::uint64_t> out) {
    for (std::uint64_t& each : out) each = word();
  }
  /// A mechanism takes bits of any origin. Whoever states a guarantee for what was made with them
  /// has to read this, and to state none unless it says `system`.
  Origin origin() const { return origin_; }
  /// An independent stream of the same origin. Each (purpose, index) is handed out once: asking
  /// again is a programming error (std::logic_error), because it would give the same noise again.
  virtual std::unique_ptr<RandomBits> stream(Purpose purpose, std::uint32_t index) = 0;

 protected:
  /// All that a derived class can claim to be; `system` is for SystemRandomBits alone.
  enum class Taint { seeded, scripted };
  explicit RandomBits(Taint taint);

 private:
  friend class SystemRandomBits;
  explicit RandomBits(Origin origin) : origin_(origin) {}

  const Origin origin_;
};

/// Writes 32 bytes of entropy or throws EntropyError.
using EntropySource = void (*)(std::span<unsigned char, 32>);
void system_entropy(std::span<unsigned char, 32> key);

namespace internal {

/// A ChaCha20 key; its memory is wiped when it goes.
struct Key {
  std::array<unsigned char, 32> bytes{};
  Key() = default;
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  ~Key();
};

/// A ChaCha20 key stream (libsodium): key fixed, nonce zero, block counter running.
class ChaCha20Stream {
 public:
  explicit ChaCha20Stream(const Key& key) : key_(key) {}
  ~ChaCha20Stream();  // wipes the buffer too
  ChaCha20Stream(const ChaCha20Stream&) = delete;
  ChaCha20Stream& operator=(const ChaCha20Stream&) = delete;

  std::uint64_t word() {
    if (position_ == kWords) refill();
    return buffer_[position_++];
  }
  void words(std::span<std::uint64_t> out);
  const Key& key() const { return key_; }
  /// Forgets key and buffer and starts again with the new key.
  void restart(const Key& key);

 private:
  static constexpr std::size_t kWords = 256;
  void refill();

  Key key_;
  std::uint64_t block_ = 0;
  std::size_t position_ = kWords;
  std::array<std::uint64_t, kWords> buffer_{};
};

/// Which sub-streams have been handed out, and their keys.
class StreamsGiven {
 public:
  /// The key of a sub-stream, derived from `parent` by keyed BLAKE2b (crypto_kdf), so that streams
  /// of streams are independent as well. Throws std::logic_error at the second request.
  Key give(const Key& parent, Purpose purpose, std::uint32_t index);

 private:
  std::set<std::uint64_t> given_;
};

}  // namespace internal

/// Bits for certified fits: one ChaCha20 key per object from the operating system. A forked child
/// takes a new key before its next word, so parent and child never draw the same noise. With
/// another entropy source than the operating system's, which tests need, the origin is `scripted`.
class SystemRandomBits final : public RandomBits {
 public:
  /// Throws EntropyError if the operating system gives none.
  explicit SystemRandomBits(EntropySource entropy = system_entropy);

  std::uint64_t word() override;
  void words(std::span<std::uint64_t> out) override;
  std::unique_ptr<RandomBits> stream(Purpose purpose, std::uint32_t index) override;

 private:
  SystemRandomBits(EntropySource entropy, const internal::Key& key);
  void renew_if_forked();

  EntropySource entropy_;
  ForkGeneration generation_;
  internal::ChaCha20Stream bits_;
  internal::StreamsGiven given_;
};

/// For tests: the same bits for the same seed. Taints what is made with it (Origin::seeded).
class SeededRandomBits final : public RandomBits {
 public:
  explicit SeededRandomBits(std::uint64_t seed);

  std::uint64_t word() override { return bits_.word(); }
  void words(std::span<std::uint64_t> out) override { bits_.words(out); }
  std::unique_ptr<RandomBits> stream(Purpose purpose, std::uint32_t index) override;

 private:
  explicit SeededRandomBits(const internal::Key& key);

  internal::ChaCha20Stream bits_;
  internal::StreamsGiven given_;
};

/// For tests: replays the given words, then throws std::out_of_range. Its streams share the script.
class ScriptedRandomBits final : public RandomBits {
 public:
  explicit ScriptedRandomBits(std::vector<std::uint64_t> words);

  std::uint64_t word() override;
  std::unique_ptr<RandomBits> stream(Purpose purpose, std::uint32_t index) override;
  std::size_t left() const;

 private:
  struct Script {
    std::vector<std::uint64_t> words;
    std::size_t next = 0;
  };
  explicit ScriptedRandomBits(std::shared_ptr<Script> script)
      : RandomBits(Taint::scripted), script_(std::move(script)) {}

  std::shared_ptr<Script> script_;
};

}  // namespace southwell::privacy
