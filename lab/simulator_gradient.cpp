#include "lab/simulator_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab/simulator_gradient_lanes.hpp"
#include "lab/simulator_outcome.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/random/uniform_index.hpp"

namespace southwell::lab {

std::vector<float> normal_pool() {
  privacy::SeededRandomBits bits(0);
  privacy::paper::NormalInDoubles normal;
  std::vector<float> out(GradientNoise::kPool);
  const std::size_t half = out.size() / 2;
  for (std::size_t k = 0; k < half; ++k) {
    out[k] = static_cast<float>(normal.next(bits));
    out[half + k] = -out[k];
  }
  return out;
}

RecordTable::RecordTable(const LaneDesign& design) : offsets{0}, pool(normal_pool()) {
  std::visit(
      [&](const auto& each) {
        every.resize(each.features());
        std::iota(every.begin(), every.end(), 0U);
        is_dense = each.stored_entries() == each.records() * each.features();
        for (std::size_t i = 0; i < each.records(); ++i) {
          double squares = 0.0;
          each.for_each_in_record(i, [&](std::size_t j, double x) {
            if (!is_dense) listed.push_back(static_cast<std::uint32_t>(j));
            entries.push_back(static_cast<float>(x));
            squares += x * x;
          });
          offsets.push_back(entries.size());
          norms.push_back(static_cast<float>(std::sqrt(squares)));
        }
      },
      design);
}

GradientNoise::GradientNoise(std::uint64_t seed, std::size_t records, std::size_t features,
                             const std::vector<float>& pool, bool with_totals)
    : bits_(seed),
      sampling_(bits_.stream(privacy::Purpose::sampling, 0)),
      release_(bits_.stream(privacy::Purpose::release, 0)),
      records_(records),
      pieces_((features + kPiece - 1) / kPiece),
      pool_(pool),
      totals_(with_totals ? pieces_ * kPiece : 0) {}

void GradientNoise::draw_block(std::size_t steps) {
  turns_.resize(steps);
  for (std::uint32_t& turn : turns_) {
    turn = static_cast<std::uint32_t>(privacy::uniform_index(records_, *sampling_));
  }
  places_.resize(pieces_ * kSteps);
  const auto place_of = [](std::uint64_t half) {  // a half is in [0, 2^32)
    return static_cast<std::uint32_t>((half * (kPool - kPiece + 1)) >> 32);
  };
  static_assert(kSteps % 2 == 0);
  for (std::size_t k = 0; k < places_.size(); k += 2) {
    const std::uint64_t word = release_->word();
    places_[k] = place_of(word >> 32);
    places_[k + 1] = place_of(word & 0xffffffffU);
  }
  if (totals_.empty()) return;
  std::fill(totals_.begin(), totals_.end(), 0.0F);
  for (std::size_t piece = 0; piece < pieces_; ++piece) {
    float* const out = totals_.data() + piece * kPiece;
    for (std::size_t t = 0; t < steps; ++t) {
      const float* const in = pool_.data() + places_[piece * kSteps + t];
      for (std::size_t k = 0; k < kPiece; ++k) out[k] += in[k];
    }
  }
}

GradientLanes::GradientLanes(const Simulator::Shared& shared, const RecordTable& table,
                             std::span<const SimulatedSetting> settings)
    : shared_(shared),
      table_(table),
      coef_(table.every.size() * kLanes),
      done_(table.every.size()),
      behind_(table.is_dense ? 0 : table.every.size() * (GradientNoise::kSteps + 1)) {
  const double l1 = problem::kinked_part(shared.penalty).l1;
  motion_.decays = shared.l2 != 0.0;
  motion_.shrinks = l1 != 0.0;
  motion_.at_once = motion_.shrinks && !motion_.decays;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const SimulatedSetting& setting = settings[std::min(k, settings.size() - 1)];
    const double noise = shared.release_scale * setting.clip;
    unit_[k] = setting.step * noise;
    float_unit_[k] = static_cast<float>(unit_[k]);
    clip_[k] = static_cast<float>(setting.clip);
    per_unit_[k] = static_cast<float>(1.0 / noise);
    motion_.decay[k] = static_cast<float>(1.0 - setting.step * shared.l2);
    motion_.shrink[k] = static_cast<float>(l1 / noise);
    constexpr double kNothing = 1e-3;  // of the noise of a step
    if (l1 / noise > kNothing) motion_.at_once = false;
  }
}

bool GradientLanes::stays_at_zero() const {
  const auto largest = *std::ranges::max_element(table_.pool);  // its negative is there as well
  const double reach = static_cast<double>(largest) + 1.0 / shared_.release_scale;
  return std::ranges::all_of(
      motion_.shrink, [&](float shrink) { return static_cast<double>(shrink) > 1.001 * reach; });
}

void GradientLanes::visit_record(std::size_t i, std::size_t t, const GradientNoise& noise) {
  const std::span<const std::uint32_t> indices = table_.indices(i);
  if (!table_.is_dense) {
    drift(indices, t, noise);
    for (const std::uint32_t j : indices) done_[j] = static_cast<std::uint32_t>(t + 1);
  }
  FloatLanes margins;
  lane_margins(indices, table_.values(i), coef_.data(), margins);
  for (std::size_t k = 0; k < kLanes; ++k) margins[k] *= float_unit_[k];
  FloatLanes pull;
  lane_slopes(shared_.loss, {&shared_.float_target[i], 1}, per_unit_, margins.data(), pull.data());
  for (std::size_t k = 0; k < kLanes; ++k) {
    // The norm of the record's gradient in units of the noise, and the clip likewise.
    const float norm = std::fabs(pull[k]) * table_.norms[i];
    const float most = clip_[k] * per_unit_[k];
    pull[k] *= most / std::max(norm, most);
  }
  lane_pull(motion_, noise, t, indices, table_.values(i), pull, coef_.data());
}

void GradientLanes::drift(std::span<const std::uint32_t> coordinates, std::size_t t,
                          const GradientNoise& noise) {
  std::array<std::size_t, GradientNoise::kSteps + 1> counts{};
  std::size_t untouched = 0;  // nearly all of many features: counted in a register
  for (const std::uint32_t j : coordinates) {
    const std::uint32_t from = done_[j];
    if (from == 0) {
      behind_[untouched++] = j;
    } else {
      behind_[from * table_.every.size() + counts[from]++] = j;
    }
  }
  counts[0] = untouched;
  for (std::size_t from = 0; from < t; ++from) {
    const auto own = std::span(behind_).subspan(from * table_.every.size(), counts[from]);
    if (!own.empty()) lane_drift(motion_, noise, own, from, t, coef_.data());
  }
}

void GradientLanes::run_block(const GradientNoise& noise) {
  std::fill(done_.begin(), done_.end(), 0);
  for (std::size_t t = 0; t < noise.steps(); ++t) visit_record(noise.record(t), t, noise);
  if (!table_.is_dense) drift(table_.every, noise.steps(), noise);
}

std::vector<Simulated> GradientLanes::outcomes(std::size_t count) const {
  std::vector<float> margins(table_.records() * kLanes);
  for (std::size_t i = 0; i < table_.records(); ++i) {
    FloatLanes own;
    lane_margins(table_.indices(i), table_.values(i), coef_.data(), own);
    std::copy(own.begin(), own.end(), margins.data() + i * kLanes);
  }
  std::vector<Simulated> out(count);
  for (std::size_t k = 0; k < count; ++k) {
    out[k].objective = lane_objective(shared_, margins, coef_, k, unit_[k]);
  }
  return out;
}

}  // namespace southwell::lab
