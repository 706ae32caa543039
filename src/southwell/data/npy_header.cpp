#include "southwell/data/npy_header.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "southwell/core/error.hpp"

namespace southwell::data {
namespace {

/// Reads the Python dictionary of a header: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
/// 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : left_(text), name_(name) {}

  NpyHeader parse() {
    std::optional<std::string_view> descr;
    std::optional<NpyOrder> order;
    std::optional<std::vector<std::size_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        if (peek() == '[') refuse("has named fields; accepted are plain numbers");
        descr = quoted();
      } else if (key == "fortran_order" && !order) {
        order = boolean() ? NpyOrder::by_feature : NpyOrder::by_record;
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        malformed();
      }
      if (!accept(',') && peek() != '}') malformed();
    }
    if (peek() != '\0' || !left_.empty() || !descr || !order || !shape) malformed();
    NpyHeader header;
    header.order = *order;
    header.shape = *shape;
    set_type(header, *descr);
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw DataError(name_ + ": the npy header " + what);
  }
  [[noreturn]] void malformed() const {
    refuse("is malformed; accepted are descr, fortran_order and shape as NumPy writes them");
  }

  char peek() {
    while (!left_.empty() && (left_.front() == ' ' || left_.front() == '\n'))
      left_.remove_prefix(1);
    return left_.empty() ? '\0' : left_.front();
  }
  bool accept(char c) {
    if (peek() != c || left_.empty()) return false;
    left_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') malformed();
    left_.remove_prefix(1);
    const std::size_t end = left_.find(quote);
    if (end == std::string_view::npos) malformed();
    const std::string_view text = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    peek();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (left_.starts_with(word)) {
        left_.remove_prefix(std::string_view(word).size());
        return value;
      }
    }
    malformed();
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!accept(')')) {
      std::size_t size = 0;
      peek();
      const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), size);
      if (error == std::errc::result_out_of_range) refuse("has a shape beyond any memory");
      if (error != std::errc()) malformed();
      left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
      sizes.push_back(size);
      if (!accept(',') && peek() != ')') malformed();
    }
    return sizes;
  }

  void set_type(NpyHeader& header, std::string_view descr) const {
    const auto accepted = [&] {
      if (descr.size() != 3) return false;
      const std::string_view type = descr.substr(1);
      for (const std::string_view known :
           {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
        if (type == known) return std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
      }
      return false;
    };
    if (!accepted()) {
      refuse(
          "has a type that is not accepted; accepted are float16, float32, float64, whole "
          "numbers and bool");
    }
    header.kind = descr[1];
    header.item_bytes = static_cast<std::size_t>(descr[2] - '0');
    constexpr char kOther = std::endian::native == std::endian::little ? '>' : '<';
    header.swapped = descr[0] == kOther && header.item_bytes > 1;
  }

  std::string_view left_;
  const std::string& name_;
};

}  // namespace

NpyHeader NpyHeader::read(ByteSource& source, const std::string& name) {
  constexpr std::string_view kMagic("\x93NUMPY");
  std::array<char, 8> start{};
  if (read_fully(source, start) != start.size() ||
      std::string_view(start.data(), kMagic.size()) != kMagic) {
    throw DataError(name + ": does not begin like an npy file; accepted are files of numpy.save");
  }
  const auto version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0) {
    throw DataError(name + ": an npy version that is not known; accepted are 1.0, 2.0 and 3.0");
  }
  std::array<char, 4> length_bytes{};
  const std::size_t width = version == 1 ? 2 : 4;
  bool whole = read_fully(source, {length_bytes.data(), width}) == width;
  std::size_t length = 0;
  for (std::size_t k = width; k-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(length_bytes[k]);
  }
  constexpr std::size_t kMostBytes = 65536;  // NumPy itself stops at 10000
  if (length > kMostBytes) {
    throw DataError(name + ": the npy header is longer than " + std::to_string(kMostBytes) +
                    " bytes; accepted are shorter ones");
  }
  std::string text(length, '\0');
  whole = whole && read_fully(source, text) == length;
  if (!whole)
    throw DataError(name + ": the file ends within the npy header; accepted is a whole one");
  return HeaderParser(text, name).parse();
}

}  // namespace southwell::data
