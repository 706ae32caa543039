#include "southwell/model/json_packed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "southwell/model/base64.hpp"

namespace southwell::model {
namespace {

constexpr std::size_t kByte = 8;

/// Room of a map with a bit for each feature, in bytes.
constexpr std::size_t map_size(std::size_t features) {
  return features / kByte + (features % kByte == 0 ? 0 : 1);
}

/// A bit for each feature takes less room than a number for each coefficient.
bool is_mapped(std::size_t count, std::size_t features) {
  return map_size(features) < count * sizeof(std::uint32_t);
}

/// The least share of `largest` that is not below `noise`: a stated noise is never too small.
/// Written and read again it is the same share.
float share_of(double noise, double largest) {
  if (std::isnan(noise)) return std::numeric_limits<float>::quiet_NaN();
  const auto enough = [&](float share) { return largest * static_cast<double>(share) >= noise; };
  const auto least = [&](float share) {
    return enough(share) && (share == 0.0f || !enough(std::nextafter(share, -1.0f)));
  };
  const auto near = static_cast<float>(noise / largest);
  for (const float share : {near, std::nextafter(near, 2.0f)}) {
    if (share <= 1.0f && least(share)) return share;
  }
  // Products of the smallest doubles are coarse: among the bits of floats, which are in their
  // order.
  std::uint32_t low = 0;
  std::uint32_t high = std::bit_cast<std::uint32_t>(1.0f);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (enough(std::bit_cast<float>(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::bit_cast<float>(low);
}

template <class T, class F>
void add_numbers(JsonText& out, std::size_t count, F&& number) {
  out.add("\"");
  encode_numbers<T>(count, number, [&](std::string_view text) { out.add(text); });
  out.add("\"");
}

void add_map(JsonText& out, const std::vector<Coefficient>& coef, std::size_t features) {
  std::size_t next = 0;
  add_numbers<std::uint8_t>(out, map_size(features), [&](std::size_t byte) {
    std::uint8_t bits = 0;
    for (; next < coef.size() && coef[next].index / kByte == byte; ++next) {
      bits = static_cast<std::uint8_t>(bits | 1u << coef[next].index % kByte);
    }
    return bits;
  });
}

void add_noise(JsonText& out, const std::vector<Coefficient>& coef) {
  // Of those for which it is determined; null where it is for none.
  double largest = coef.empty() ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  for (const Coefficient& c : coef) largest = std::fmax(largest, c.noise_sd);
  out.add(",\"noise_sd\":");
  out.add_number(largest);
  const auto equal = [&](const Coefficient& c) {
    return c.noise_sd == largest || (std::isnan(c.noise_sd) && std::isnan(largest));
  };
  if (std::all_of(coef.begin(), coef.end(), equal)) return;
  out.add(",\"noise_share\":");
  add_numbers<float>(out, coef.size(),
                     [&](std::size_t k) { return share_of(coef[k].noise_sd, largest); });
}

/// put(k, number) for the numbers of a string.
template <class T, class F>
void read_numbers(const core::JsonPart& part, std::size_t count, F&& put) {
  if (decode_numbers<T>(part.text(), count, put)) return;
  part.refuse(std::to_string(part.text().size()) + " characters that are not base64 of " +
                  std::to_string(count) + " numbers of " + std::to_string(sizeof(T)) + " bytes",
              "as many numbers as there are to read");
}

/// How many numbers there are: no more than the string `doubles` has, for which there will be room.
std::size_t count_of(const core::JsonPart& part, const char* doubles) {
  const std::size_t count = part.at("count").size();
  const std::size_t length = part.at(doubles).text().size();
  if (count > length || base64_length(count * sizeof(double)) != length) {
    part.at(doubles).refuse(std::to_string(length) + " characters that are not base64 of " +
                                std::to_string(count) + " numbers of 8 bytes",
                            "as many numbers as count says");
  }
  return count;
}

void read_map(const core::JsonPart& part, std::size_t features, std::vector<Coefficient>& coef) {
  std::size_t found = 0;
  read_numbers<std::uint8_t>(part, map_size(features), [&](std::size_t byte, std::uint8_t bits) {
    for (std::size_t bit = 0; bit < kByte; ++bit) {
      if ((static_cast<unsigned>(bits) >> bit & 1u) == 0) continue;
      if (found < coef.size()) coef[found].index = byte * kByte + bit;
      ++found;
    }
  });
  if (found != coef.size()) {
    part.refuse(std::to_string(found) + " features",
                std::to_string(coef.size()) + ", as many as count says");
  }
}

void read_noise(const core::JsonPart& part, std::vector<Coefficient>& coef) {
  const double largest = part.at("noise_sd").number_or(std::numeric_limits<double>::quiet_NaN());
  for (Coefficient& c : coef) c.noise_sd = largest;
  const std::optional<core::JsonPart> shares = part.find("noise_share");
  if (!shares) return;
  read_numbers<float>(*shares, coef.size(), [&](std::size_t k, float share) {
    if (share < 0.0f || share > 1.0f) {  // not a number: not determined
      shares->refuse("a share that is not from 0 to 1", "a share of noise_sd");
    }
    coef[k].noise_sd = largest * static_cast<double>(share);
  });
}

/// Braces, keys, a count, a number, quotes, padding and a comma: less than that for each object.
constexpr std::uint64_t kObject = 256;

constexpr std::uint64_t of_bytes(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace

bool is_packed(const std::vector<Head>& heads) {
  std::size_t count = 0;
  for (const Head& head : heads) count += head.coef.size();
  return count > kReadable;
}

void add_packed(JsonText& out, const Head& head, std::size_t features) {
  const std::vector<Coefficient>& coef = head.coef;
  const bool all = coef.size() == features;
  const bool mapped = !all && is_mapped(coef.size(), features);
  out.add("{\"count\":" + std::to_string(coef.size()));
  if (!all && !mapped) {
    out.add(",\"index\":");
    add_numbers<std::uint32_t>(
        out, coef.size(), [&](std::size_t k) { return static_cast<std::uint32_t>(coef[k].index); });
  }
  add_noise(out, coef);
  if (mapped) {
    out.add(",\"present\":");
    add_map(out, coef, features);
  }
  out.add(",\"value\":");
  add_numbers<double>(out, coef.size(), [&](std::size_t k) { return coef[k].value; });
  out.add("}");
}

void add_packed(JsonText& out, const std::vector<ModelStep>& path, std::size_t heads) {
  const auto whole = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
  out.add("{\"count\":" + std::to_string(path.size()) + ",\"gradient\":");
  add_numbers<double>(out, path.size(), [&](std::size_t t) { return path[t].gradient; });
  if (heads > 1) {
    out.add(",\"head\":");
    add_numbers<std::uint32_t>(out, path.size(),
                               [&](std::size_t t) { return whole(path[t].head); });
  }
  out.add(",\"index\":");
  add_numbers<std::uint32_t>(out, path.size(), [&](std::size_t t) { return whole(path[t].index); });
  out.add(",\"value\":");
  add_numbers<double>(out, path.size(), [&](std::size_t t) { return path[t].value; });
  out.add("}");
}

nlohmann::json packed(const std::vector<double>& numbers) {
  std::string text;
  text.reserve(base64_length(numbers.size() * sizeof(double)));
  encode_numbers<double>(
      numbers.size(), [&](std::size_t k) { return numbers[k]; },
      [&](std::string_view part) { text += part; });
  return {{"count", numbers.size()}, {"float64", std::move(text)}};
}

std::vector<Coefficient> packed_coef(const core::JsonPart& part, std::size_t features) {
  std::vector<Coefficient> coef(count_of(part, "value"));
  read_numbers<double>(part.at("value"), coef.size(),
                       [&](std::size_t k, double value) { coef[k].value = value; });
  read_noise(part, coef);
  const std::optional<core::JsonPart> listed = part.find("index");
  const std::optional<core::JsonPart> mapped = part.find("present");
  if (listed && mapped) part.refuse("both 'index' and 'present'", "one of them");
  if (listed) {
    read_numbers<std::uint32_t>(*listed, coef.size(),
                                [&](std::size_t k, std::uint32_t index) { coef[k].index = index; });
  } else if (mapped) {
    read_map(*mapped, features, coef);
  } else if (coef.size() == features) {
    for (std::size_t k = 0; k < features; ++k) coef[k].index = k;
  } else {
    part.refuse(std::to_string(coef.size()) + " coefficients of " + std::to_string(features) +
                    " features without 'index' or 'present'",
                "one of them, or as many coefficients as features");
  }
  return coef;
}

std::vector<ModelStep> packed_path(const core::JsonPart& part) {
  std::vector<ModelStep> path(count_of(part, "value"));
  read_numbers<double>(part.at("value"), path.size(),
                       [&](std::size_t t, double value) { path[t].value = value; });
  read_numbers<double>(part.at("gradient"), path.size(),
                       [&](std::size_t t, double value) { path[t].gradient = value; });
  read_numbers<std::uint32_t>(part.at("index"), path.size(),
                              [&](std::size_t t, std::uint32_t j) { path[t].index = j; });
  if (const std::optional<core::JsonPart> head = part.find("head")) {
    read_numbers<std::uint32_t>(*head, path.size(),
                                [&](std::size_t t, std::uint32_t h) { path[t].head = h; });
  }
  return path;
}

std::vector<double> packed_numbers(const core::JsonPart& part) {
  std::vector<double> numbers(count_of(part, "float64"));
  read_numbers<double>(part.at("float64"), numbers.size(),
                       [&](std::size_t k, double value) { numbers[k] = value; });
  return numbers;
}

std::vector<double> feature_numbers(const core::JsonPart& part) {
  if (part.content().is_number()) return {part.number()};
  return part.content().is_object() ? packed_numbers(part) : part.numbers();
}

std::uint64_t longest_packed_coef(std::size_t heads, std::size_t features, std::uint64_t count) {
  const std::uint64_t map = std::uint64_t{heads} * map_size(features);
  const std::uint64_t places = std::min<std::uint64_t>(count * sizeof(std::uint32_t), map);
  return heads * kObject + of_bytes(count * (sizeof(double) + sizeof(float)) + places);
}

std::uint64_t longest_packed_path(std::size_t heads, std::uint64_t count) {
  const std::uint64_t whole = sizeof(std::uint32_t) * (heads > 1 ? 2 : 1);
  return kObject + of_bytes(count * (2 * sizeof(double) + whole));
}

}  // namespace southwell::model
