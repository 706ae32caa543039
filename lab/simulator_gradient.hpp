#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::lab {

/// GradientNoise::kPool standard normal numbers to take noise from, half of them the others with
/// the other sign.
std::vector<float> normal_pool();

/// The records one after the other, as DP-SGD visits them, and what else its runs share.
struct RecordTable {
  explicit RecordTable(const LaneDesign& design);

  std::size_t records() const { return norms.size(); }
  std::span<const std::uint32_t> indices(std::size_t i) const {
    if (is_dense) return every;
    return std::span(listed).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  const float* values(std::size_t i) const { return entries.data() + offsets[i]; }

  bool is_dense;                     ///< every record has every feature
  std::vector<std::uint32_t> every;  ///< feature
  std::vector<std::size_t> offsets;  ///< one more than there are records
  std::vector<std::uint32_t> listed;
  std::vector<float> entries;
  std::vector<float> norms;  ///< l2
  std::vector<float> pool;   ///< of noise, for all runs
};

/// The noise of one simulated run of DP-SGD: which record has its turn, and standard normal noise
/// for every coordinate and step. Noise comes in pieces of kPiece coordinates out of the pool, each
/// from a random place.
class GradientNoise {
 public:
  static constexpr std::size_t kPiece = 64;
  static constexpr std::size_t kPool = std::size_t{1} << 18;  ///< it has to stay in a near cache
  static constexpr std::size_t kSteps = 12;                   ///< of a block

  /// The pool must outlive it. With totals, every coordinate's noise is also there summed over a
  /// block.
  GradientNoise(std::uint64_t seed, std::size_t records, std::size_t features,
                const std::vector<float>& pool, bool with_totals);

  /// The next `steps` <= kSteps.
  void draw_block(std::size_t steps);

  std::size_t steps() const { return turns_.size(); }
  std::uint32_t record(std::size_t t) const { return turns_[t]; }
  /// Of coordinate j in step t.
  float of(std::size_t t, std::size_t j) const {
    return pool_[places_[(j / kPiece) * kSteps + t] + j % kPiece];
  }
  /// Of coordinate j in the steps from .. to.
  float sum(std::size_t from, std::size_t to, std::size_t j) const {
    if (from == 0 && to == steps() && !totals_.empty()) return totals_[j];
    float out = 0.0F;
    for (std::size_t t = from; t < to; ++t) out += of(t, j);
    return out;
  }

 private:
  privacy::SeededRandomBits bits_;
  std::unique_ptr<privacy::RandomBits> sampling_;
  std::unique_ptr<privacy::RandomBits> release_;
  std::size_t records_;
  std::size_t pieces_;
  const std::vector<float>& pool_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> places_;  ///< piece after piece, kSteps each
  std::vector<float> totals_;
};

/// kLanes fits of DP-SGD. Between a record's visits a coefficient changes by noise and prox alone,
/// so it is brought up to date only when a record needs it: many steps at a time. A lane counts its
/// coefficients in the standard deviation of one step's noise.
class GradientLanes {
 public:
  GradientLanes(const Simulator::Shared& shared, const RecordTable& table,
                std::span<const SimulatedSetting> settings);

  /// Whether no noise and no gradient takes a coefficient away from zero.
  bool stays_at_zero() const;
  bool drifts_at_once() const { return motion_.at_once; }
  void run_block(const GradientNoise& noise);
  /// Of the first `count` lanes.
  std::vector<Simulated> outcomes(std::size_t count) const;

  /// What a step does to a coefficient besides gradient and noise: times `decay` before them,
  /// towards zero by `shrink` after.
  struct Motion {
    FloatLanes decay;
    FloatLanes shrink;
    bool decays = false;
    bool shrinks = false;
    /// Steps without gradient are taken together: their noise is summed, then comes one prox. That
    /// differs only for coefficients that cross zero within a block, by the sum of its `shrink`.
    bool at_once = false;
  };

 private:
  void visit_record(std::size_t i, std::size_t t, const GradientNoise& noise);
  /// Brings coordinates up to step t that have come as far as some step before.
  void drift(std::span<const std::uint32_t> coordinates, std::size_t t, const GradientNoise& noise);

  const Simulator::Shared& shared_;
  const RecordTable& table_;
  Lanes unit_{};
  FloatLanes float_unit_{};
  FloatLanes clip_{};
  FloatLanes per_unit_{};  ///< one by what a step makes of a gradient of one
  Motion motion_{};
  data::LargeVector<float> coef_;
  std::vector<std::uint32_t> done_;  ///< steps of this block, by coordinate
  /// Coordinates that have come equally far go on together: a list for each number of steps.
  std::vector<std::uint32_t> behind_;
};

}  // namespace southwell::lab
