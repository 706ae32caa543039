#include "southwell/data/table/hashed_words.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace southwell::data {
namespace {

bool is_of_word(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_';
}

/// FNV-1a, then a mixing of all bits into the upper ones, which number the feature.
class WordHash {
 public:
  void add(unsigned char c) {
    const bool upper = c >= 'A' && c <= 'Z';
    hash_ = (hash_ ^ static_cast<std::uint64_t>(upper ? c - 'A' + 'a' : c)) * 0x100000001b3u;
    ++bytes_;
  }
  std::size_t bytes() const { return bytes_; }
  std::uint32_t feature(std::size_t features) const {
    std::uint64_t h = hash_;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    h ^= h >> 33;
    return static_cast<std::uint32_t>(h >> (64 - std::countr_zero(features)));
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::size_t bytes_ = 0;
};

}  // namespace

void append_words(std::string_view text, std::size_t features, std::vector<WordCount>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  WordHash word;
  const auto end_word = [&] {
    constexpr std::size_t kShortest = 2;
    if (word.bytes() >= kShortest) out.push_back({word.feature(features), 1});
    word = WordHash();
  };
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_of_word(byte)) {
      word.add(byte);
    } else {
      end_word();
    }
  }
  end_word();
  std::sort(out.begin() + first, out.end(),
            [](const WordCount& a, const WordCount& b) { return a.feature < b.feature; });
  auto kept = out.begin() + first;
  for (auto each = kept; each != out.end();) {
    WordCount together = *each++;
    for (; each != out.end() && each->feature == together.feature; ++each) ++together.count;
    *kept++ = together;
  }
  out.erase(kept, out.end());
}

}  // namespace southwell::data
