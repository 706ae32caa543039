#include "southwell/privacy/random/random_bits.hpp"

#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::privacy {
namespace {

using internal::Key;

Key fresh_key(EntropySource entropy) {
  if (sodium_init() < 0) throw EntropyError("random bits: libsodium cannot be initialised");
  Key key;
  if (fault(Fault::key_is_constant)) return key;
  try {
    entropy(key.bytes);
  } catch (const EntropyError&) {
    if (!fault(Fault::entropy_failure_is_ignored)) throw;
  }
  return key;
}

Key seeded_key(std::uint64_t seed) {
  Key key;
  std::memcpy(key.bytes.data(), &seed, sizeof(seed));
  return key;
}

}  // namespace

RandomBits::RandomBits(Taint taint)
    : origin_(fault(Fault::seed_taint_is_lost) ? Origin::system
              : taint == Taint::seeded         ? Origin::seeded
                                               : Origin::scripted) {}

void system_entropy(std::span<unsigned char, 32> key) {
  if (getentropy(key.data(), key.size()) != 0) {
    throw EntropyError("random bits: the operating system gave no entropy");
  }
}

namespace internal {

Key::~Key() { sodium_memzero(bytes.data(), bytes.size()); }

ChaCha20Stream::~ChaCha20Stream() { sodium_memzero(buffer_.data(), sizeof(buffer_)); }

void ChaCha20Stream::restart(const Key& key) {
  key_ = key;
  block_ = 0;
  position_ = kWords;
  sodium_memzero(buffer_.data(), sizeof(buffer_));
}

void ChaCha20Stream::refill() {
  static_assert(sizeof(Key) == crypto_stream_chacha20_KEYBYTES);
  constexpr std::array<unsigned char, crypto_stream_chacha20_NONCEBYTES> kNonce{};
  auto* bytes = reinterpret_cast<unsigned char*>(buffer_.data());
  std::memset(bytes, 0, sizeof(buffer_));
  crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof(buffer_), kNonce.data(), block_,
                                key_.bytes.data());
  block_ += sizeof(buffer_) / 64;  // 64 bytes per block; 2^64 blocks are never reached
  position_ = 0;
}

void ChaCha20Stream::words(std::span<std::uint64_t> out) {
  while (!out.empty()) {
    if (position_ == kWords) refill();
    const std::size_t count = std::min(out.size(), kWords - position_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
    position_ += count;
    out = out.subspan(count);
  }
}

Key StreamsGiven::give(const Key& parent, Purpose purpose, std::uint32_t index) {
  const std::uint64_t name = (static_cast<std::uint64_t>(purpose) << 32) | index;
  if (!given_.insert(name).second && !fault(Fault::stream_is_handed_out_twice)) {
    throw std::logic_error("random bits: this stream has been handed out before");
  }
  static_assert(sizeof(Key) == crypto_kdf_KEYBYTES);
  const std::uint64_t id = fault(Fault::purposes_share_their_bits)  ? index
                           : fault(Fault::threads_share_their_bits) ? name - index
                                                                    : name;
  Key key;
  crypto_kdf_derive_from_key(key.bytes.data(), key.bytes.size(), id, "southwel",
                             parent.bytes.data());
  return key;
}

}  // namespace internal

SystemRandomBits::SystemRandomBits(EntropySource entropy)
    : SystemRandomBits(entropy, fresh_key(entropy)) {}

SystemRandomBits::SystemRandomBits(EntropySource entropy, const Key& key)
    : RandomBits(entropy == system_entropy || fault(Fault::any_entropy_counts_as_the_systems)
                     ? Origin::system
                     : Origin::scripted),
      entropy_(entropy),
      generation_(ForkGeneration::now()),
      bits_(key) {}

void SystemRandomBits::renew_if_forked() {
  if (!generation_.has_ended()) return;
  bits_.restart(fresh_key(entropy_));
  generation_ = ForkGeneration::now();
}

std::uint64_t SystemRandomBits::word() {
  if (!fault(Fault::fork_keeps_the_key)) renew_if_forked();
  return bits_.word();
}

void SystemRandomBits::words(std::span<std::uint64_t> out) {
  if (!fault(Fault::fork_keeps_the_key)) renew_if_forked();
  bits_.words(out);
}

std::unique_ptr<RandomBits> SystemRandomBits::stream(Purpose purpose, std::uint32_t index) {
  if (!fault(Fault::child_streams_have_the_parents_key)) renew_if_forked();
  return std::unique_ptr<RandomBits>(
      new SystemRandomBits(entropy_, given_.give(bits_.key(), purpose, index)));
}

SeededRandomBits::SeededRandomBits(std::uint64_t seed) : SeededRandomBits(seeded_key(seed)) {}

SeededRandomBits::SeededRandomBits(const Key& key) : RandomBits(Taint::seeded), bits_(key) {
  if (sodium_init() < 0) throw EntropyError("random bits: libsodium cannot be initialised");
}

std::unique_ptr<RandomBits> SeededRandomBits::stream(Purpose purpose, std::uint32_t index) {
  return std::unique_ptr<RandomBits>(
      new SeededRandomBits(given_.give(bits_.key(), purpose, index)));
}

ScriptedRandomBits::ScriptedRandomBits(std::vector<std::uint64_t> words)
    : ScriptedRandomBits(std::make_shared<Script>(Script{std::move(words)})) {}

std::uint64_t ScriptedRandomBits::word() {
  return script_->words.at(script_->next++);  // throws std::out_of_range when it has run out
}

std::unique_ptr<RandomBits> ScriptedRandomBits::stream(Purpose, std::uint32_t) {
  return std::unique_ptr<RandomBits>(new ScriptedRandomBits(script_));
}

std::size_t ScriptedRandomBits::left() const {
  return script_->next < script_->words.size() ? script_->words.size() - script_->next : 0;
}

}  // namespace southwell::privacy
