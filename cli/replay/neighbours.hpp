#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "southwell/data/dataset.hpp"

namespace southwell::cli::replay {

/// How a pair of data sets differs, and how their features are kept.
enum class Change { replaced, added, unit_replaced };
enum class Stored { f64, f32, sparse };

struct Pair {
  data::Dataset one;
  data::Dataset other;
};

/// Made-up records: ordinary ones, and in one of the two sets a hostile one, of infinities, numbers
/// that are none, and the largest and the least that there are. Of units all records of one change,
/// and become more.
class Neighbours {
 public:
  /// `records` of them, an odd number: what is added then shifts nobody's sample.
  Neighbours(std::size_t records, std::size_t features, Change change);

  Pair pair(Stored stored);

 private:
  using Record = std::vector<double>;  ///< the features, then the target
  struct Rows {
    std::vector<Record> records;
    std::vector<std::size_t> units;
  };
  Record ordinary();
  Record hostile();
  data::Dataset dataset(const Rows& rows, Stored stored) const;

  std::size_t records_;
  std::size_t features_;
  Change change_;
  std::mt19937_64 random_;
};

}  // namespace southwell::cli::replay
