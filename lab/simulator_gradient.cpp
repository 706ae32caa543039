#include "lab/simulator_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lab/simulator_gradient_lanes.hpp"
#include "southwell/privacy/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/uniform_index.hpp"

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

RecordTable::RecordTable(const data::AnyDesign& design, std::size_t columns)
    : features(columns), offsets{0}, pool(normal_pool()) {
  std::visit(
      [&](const auto& each) {
        for (std::size_t i = 0; i < each.records(); ++i) {
          double squares = 0.0;
          each.for_each_in_record(i, [&](std::size_t j, double x) {
            indices.push_back(static_cast<std::uint32_t>(j));
            values.push_back(static_cast<float>(x));
            squares += x * x;
          });
          offsets.push_back(indices.size());
          norms.push_back(std::sqrt(squares));
        }
      },
      design);
}

GradientNoise::GradientNoise(std::uint64_t seed, std::size_t records, std::size_t features,
                             const std::vector<float>& pool)
    : bits_(seed),
      sampling_(bits_.stream(privacy::Purpose::sampling, 0)),
      release_(bits_.stream(privacy::Purpose::release, 0)),
      records_(records),
      pieces_((features + kPiece - 1) / kPiece),
      pool_(pool) {}

void GradientNoise::draw_block(std::size_t steps) {
  turns_.resize(steps);
  for (std::uint32_t& turn : turns_) {
    turn = static_cast<std::uint32_t>(privacy::uniform_index(records_, *sampling_));
  }
  places_.resize(pieces_ * kSteps);
  for (std::uint32_t& place : places_) {
    const std::uint64_t word = release_->word();
    place = static_cast<std::uint32_t>(((word >> 32) * (kPool - kPiece + 1)) >> 32);
  }
}

GradientLanes::GradientLanes(const Simulator::Shared& shared, const RecordTable& table,
                             std::span<const SimulatedSetting> settings)
    : shared_(shared),
      table_(table),
      coef_(table.features * kLanes),
      every_(table.features),
      done_(table.features) {
  std::iota(every_.begin(), every_.end(), 0U);
  const double l1 = problem::kinked_part(shared.penalty).l1;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const SimulatedSetting& setting = settings[std::min(k, settings.size() - 1)];
    clip_[k] = setting.clip;
    gamma_[k] = setting.step;
    motion_.decay[k] = static_cast<float>(1.0 - setting.step * shared.l2);
    motion_.spread[k] = static_cast<float>(setting.step * shared.release_scale * setting.clip);
    motion_.shrink[k] = static_cast<float>(setting.step * l1);
  }
}

void GradientLanes::visit_record(std::size_t i, std::size_t t, const GradientNoise& noise) {
  const std::size_t first = table_.offsets[i];
  const auto indices = std::span(table_.indices).subspan(first, table_.offsets[i + 1] - first);
  drift(indices, t, noise);
  for (const std::uint32_t j : indices) done_[j] = static_cast<std::uint32_t>(t + 1);
  const float* const values = table_.values.data() + first;
  Lanes margins;
  lane_margins(indices, values, coef_.data(), margins);
  Lanes targets;
  targets.fill(shared_.target[i]);
  Lanes slopes;
  problem::derivatives(shared_.loss, margins, targets, slopes);
  Floats pull;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const double norm = std::fabs(slopes[k]) * table_.norms[i];
    const double kept = norm > clip_[k] ? slopes[k] * (clip_[k] / norm) : slopes[k];
    pull[k] = static_cast<float>(gamma_[k] * kept);
  }
  lane_pull(motion_, noise, t, indices, values, pull, coef_.data());
}

void GradientLanes::drift(std::span<const std::uint32_t> coordinates, std::size_t t,
                          const GradientNoise& noise) {
  for (const std::uint32_t j : coordinates) {
    if (done_[j] < t) behind_[done_[j]].push_back(j);
  }
  for (std::size_t from = 0; from < t; ++from) {
    if (behind_[from].empty()) continue;
    lane_drift(motion_, noise, behind_[from], from, t, coef_.data());
    behind_[from].clear();
  }
}

void GradientLanes::run_block(const GradientNoise& noise) {
  std::fill(done_.begin(), done_.end(), 0);
  for (std::size_t t = 0; t < noise.steps(); ++t) visit_record(noise.record(t), t, noise);
  drift(every_, noise.steps(), noise);
}

Simulated GradientLanes::outcome(std::size_t k) const {
  std::vector<double> coef(table_.features);
  for (std::size_t j = 0; j < coef.size(); ++j) {
    coef[j] = static_cast<double>(coef_[j * kLanes + k]);
  }
  std::vector<double> margins(table_.norms.size());
  for (std::size_t i = 0; i < margins.size(); ++i) {
    for (std::size_t e = table_.offsets[i]; e < table_.offsets[i + 1]; ++e) {
      margins[i] += static_cast<double>(table_.values[e]) * coef[table_.indices[e]];
    }
  }
  const double objective = problem::mean_value(shared_.loss, margins, shared_.target) +
                           problem::value(shared_.penalty, coef);
  return {std::isfinite(objective) ? objective : std::numeric_limits<double>::infinity(), 0};
}

}  // namespace southwell::lab
