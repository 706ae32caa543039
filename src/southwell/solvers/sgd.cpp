#include "southwell/solvers/sgd.hpp"

#include <algorithm>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/privacy/random/poisson_sample.hpp"
#include "southwell/privacy/random/uniform_index.hpp"

namespace southwell::solvers {

CertifiedSgd::CertifiedSgd(privacy::DiscreteGaussianRelease release, std::uint64_t sampled,
                           privacy::RandomBits& bits, std::uint32_t number)
    : release_(release),
      sampled_(sampled),
      release_bits_(bits.stream(privacy::Purpose::release, number)),
      sampling_bits_(bits.stream(privacy::Purpose::sampling, number)) {}

privacy::Noise CertifiedSgd::noise_of(std::size_t size, core::ThreadPool& pool) {
  constexpr std::size_t kMany = 20'000;  // below that threads cost more than they save
  constexpr std::uint32_t kParts = 32;   // whatever the number of threads: it decides the noise
  if (size < kMany) return release_.draw(*release_bits_, size);
  while (parts_.size() < kParts) {
    parts_.push_back(release_bits_->stream(privacy::Purpose::release,
                                           static_cast<std::uint32_t>(parts_.size())));
  }
  return release_.draw(parts_, size, pool);
}

Sensitive<std::vector<std::size_t>> CertifiedSgd::batch(std::size_t records) {
  const std::uint64_t sampled =
      fault(Fault::sgd_samples_twice_its_rate) ? std::min(2 * sampled_, kAll) : sampled_;
  if (fault(Fault::sgd_keeps_its_first_batch)) {
    privacy::SeededRandomBits same(1);
    return Sensitive(privacy::poisson_sample(records, sampled, same));
  }
  return Sensitive(privacy::poisson_sample(records, sampled, *sampling_bits_));
}

PaperSgd::PaperSgd(std::vector<double> sigma, privacy::RandomBits& bits)
    : sigma_(std::move(sigma)),
      release_bits_(bits.stream(privacy::Purpose::release, 0)),
      sampling_bits_(bits.stream(privacy::Purpose::sampling, 0)),
      released_(sigma_.size()) {}

Sensitive<std::vector<std::size_t>> PaperSgd::one(std::size_t records) {
  return Sensitive(std::vector{privacy::uniform_index(records, *sampling_bits_)});
}

void AverageIterate::add(std::uint64_t t, std::span<const double> coef) {
  if (t < first_) return;
  const auto count = static_cast<double>(t - first_ + 1);
  for (std::size_t c = 0; c < mean_.size(); ++c) mean_[c] += (coef[c] - mean_[c]) / count;
}

}  // namespace southwell::solvers
