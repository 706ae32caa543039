#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace southwell::problem {

/// What the heads of more than two classes are to each other: each by itself, its class against all
/// others, or the margins of one law (losses/softmax.hpp).
enum class Multiclass { one_against_rest, softmax };
inline constexpr const char* kSoftmax = "softmax";

/// What each head of a model is to predict. Without classes: one head, the target itself. Two
/// classes: one head, +1 for the second and -1 for everything else. More: one head per class, +1
/// for its own records and -1 for the others (one against the rest). A label that is not among the
/// classes counts as the first one: a fixed public rule, never an error.
class HeadTarget {
 public:
  /// The target must outlive it. At least two classes, or none.
  HeadTarget(std::span<const double> target, std::span<const double> classes) : target_(target) {
    if (classes.empty()) return;
    labels_.reserve(target.size());
    for (const double y : target) {
      const auto found = std::find(classes.begin(), classes.end(), y);
      labels_.push_back(
          found == classes.end() ? 0 : static_cast<std::uint32_t>(found - classes.begin()));
    }
    one_against_rest_ = classes.size() > 2;
  }

  static std::size_t heads(std::size_t classes) { return classes > 2 ? classes : 1; }
  std::size_t records() const { return target_.size(); }
  /// Which of the classes record i counts as; only where there are some.
  std::size_t label(std::size_t i) const { return labels_[i]; }
  double of(std::size_t head, std::size_t i) const {
    double out = 0.0;
    write(head, i, {&out, 1});
    return out;
  }
  /// out_k: the target of record first + k for this head.
  void write(std::size_t head, std::size_t first, std::span<double> out) const {
    if (labels_.empty()) {
      std::copy_n(target_.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
      return;
    }
    const std::size_t own = one_against_rest_ ? head : 1;
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = labels_[first + k] == own ? 1.0 : -1.0;
    }
  }

 private:
  std::span<const double> target_;
  std::vector<std::uint32_t> labels_;
  bool one_against_rest_ = false;
};

}  // namespace southwell::problem
