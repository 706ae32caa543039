#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "southwell/privacy/random_bits.hpp"

namespace southwell::lab {

/// GradientNoise::kPool standard normal numbers to take noise from, half of them the others with
/// the other sign.
std::vector<float> normal_pool();

/// The records one after the other, as DP-SGD visits them, and what else its runs share.
struct RecordTable {
  RecordTable(const data::AnyDesign& design, std::size_t features);

  std::size_t features;
  std::vector<std::size_t> offsets;  ///< one more than there are records
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  std::vector<double> norms;  ///< l2
  std::vector<float> pool;    ///< of noise, for all runs
};

/// The noise of one simulated run of DP-SGD: which record has its turn, and standard normal noise
/// for every coordinate and step. Noise comes in pieces of kPiece coordinates out of the pool, each
/// from a random place.
class GradientNoise {
 public:
  static constexpr std::size_t kPiece = 64;
  static constexpr std::size_t kPool = std::size_t{1} << 18;  ///< it has to stay in a near cache
  static constexpr std::size_t kSteps = 12;                   ///< of a block

  /// The pool must outlive it.
  GradientNoise(std::uint64_t seed, std::size_t records, std::size_t features,
                const std::vector<float>& pool);

  /// The next `steps` <= kSteps.
  void draw_block(std::size_t steps);

  std::size_t steps() const { return turns_.size(); }
  std::uint32_t record(std::size_t t) const { return turns_[t]; }
  /// Of coordinate j in step t.
  float of(std::size_t t, std::size_t j) const {
    return pool_[places_[(j / kPiece) * kSteps + t] + j % kPiece];
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
};

/// kLanes fits of DP-SGD. Between a record's visits a coefficient changes by noise and prox alone,
/// so it is brought up to date only when a record needs it: many steps at a time.
class GradientLanes {
 public:
  GradientLanes(const Simulator::Shared& shared, const RecordTable& table,
                std::span<const SimulatedSetting> settings);

  void run_block(const GradientNoise& noise);
  Simulated outcome(std::size_t k) const;

  using Floats = std::array<float, kLanes>;
  /// What a step does to a coefficient besides the gradient: times `decay`, less `spread` noise,
  /// then towards zero by `shrink`.
  struct Motion {
    Floats decay;
    Floats spread;
    Floats shrink;
  };

 private:
  void visit_record(std::size_t i, std::size_t t, const GradientNoise& noise);
  /// Brings coordinates up to step t that have come as far as some step before.
  void drift(std::span<const std::uint32_t> coordinates, std::size_t t, const GradientNoise& noise);

  const Simulator::Shared& shared_;
  const RecordTable& table_;
  Lanes clip_{};
  Lanes gamma_{};
  Motion motion_{};
  std::vector<float> coef_;
  std::vector<std::uint32_t> every_;  ///< coordinate
  std::vector<std::uint32_t> done_;   ///< steps of this block, by coordinate
  /// Coordinates that have come equally far go on together.
  std::array<std::vector<std::uint32_t>, GradientNoise::kSteps> behind_;
};

}  // namespace southwell::lab
