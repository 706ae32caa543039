#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace southwell::lab {

/// A point of the paper's grid, in the paper's words: `clip` is its threshold C.
struct PaperSetting {
  double passes = 0.0;
  std::uint64_t iterations = 1;
  double clip = 1.0;
  double step = 1.0;
};

/// How much of the grid: a part takes every 5th clip and every 3rd step, from the given ones on.
struct PaperExtent {
  enum class Part {
    whole,
    sub,
    quick  ///< of `sub`, passes of at most 4
  } part = Part::whole;
  std::size_t first_clip = 2;  ///< the middle one of five
  std::size_t first_step = 1;

  bool is_whole() const { return part == Part::whole; }
};

/// The algorithms compared: gcd, cd, sgd.
std::span<const std::string_view> paper_algorithms();

/// The whole grid, settings that coincide under each of their names: passes, then clips, then
/// steps. One pass is an iteration of gcd, p of cd, n of sgd; a part of an iteration is one.
/// Throws InvalidArgument for an algorithm that is none of those above.
std::vector<PaperSetting> paper_grid(std::string_view algorithm, std::size_t records,
                                     std::size_t features, const PaperExtent& extent);

/// Iterations of one pass.
double iterations_per_pass(std::string_view algorithm, std::size_t records, std::size_t features);

/// The indices of the settings that have to be run: of those that coincide, the first. By their
/// number of iterations, because noise and so a batch belongs to one.
std::map<std::uint64_t, std::vector<std::size_t>> paper_batches(
    std::span<const PaperSetting> settings);

/// For each setting the index of the one that is run in its place.
std::vector<std::size_t> run_in_place_of(std::span<const PaperSetting> settings);

}  // namespace southwell::lab
