// Counts allocations, so it stands apart; sanitizers bring their own operator new.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SOUTHWELL_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SOUTHWELL_SANITIZED
#endif

#ifndef SOUTHWELL_SANITIZED
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "southwell/solvers/gcd.hpp"

namespace {
std::atomic<std::size_t> allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const got = std::malloc(size == 0 ? 1 : size)) return got;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace southwell::solvers {
namespace {

TEST(Gcd, AllocatesNothingPerIteration) {
  constexpr std::size_t kRecords = 500;
  constexpr std::size_t kFeatures = 700;
  std::shared_ptr<double[]> values(new double[kRecords * kFeatures]);
  for (std::size_t k = 0; k < kRecords * kFeatures; ++k) {
    values[static_cast<std::ptrdiff_t>(k)] = static_cast<double>(k * 7919 % 1000) / 500.0 - 1.0;
  }
  const data::DenseDesign<double> design(values, kRecords, kFeatures);
  const std::vector<double> target(kRecords, 1.0);
  const problem::AnyLoss loss = problem::Logistic{};
  const problem::AnyPenalty penalty = problem::L1(0.01);
  const std::vector<double> classes{-1.0, 1.0};
  const problem::Coordinates coordinates(
      {.features = kFeatures, .curvature = 0.25, .clip = 1.0, .records = 500.0});
  core::ThreadPool pool(2);
  const problem::RecordWeights weights;
  const problem::RecordFactors factors;
  problem::GreedyProblem<data::DenseDesign<double>> greedy({.design = design,
                                                            .target = target,
                                                            .classes = classes,
                                                            .loss = loss,
                                                            .coordinates = coordinates,
                                                            .weights = weights,
                                                            .factors = factors},
                                                           penalty, problem::GreedyRule::gs_q,
                                                           std::vector<double>(kFeatures), pool);
  privacy::SeededRandomBits bits(1);
  CertifiedGreedy mechanisms(privacy::ExponentialMechanism(2u << 20, 8u << 20),
                             {privacy::DiscreteLaplaceRelease(2u << 20, 8u << 20), 20, bits}, bits);
  std::size_t after_first = 0;
  std::size_t calls = 0;
  gcd(greedy, mechanisms, {.iterations = 20, .progress = [&](double) {
                             if (++calls == 1) after_first = allocations;
                           }});
  EXPECT_EQ(calls, 20u);
  EXPECT_EQ(allocations, after_first);
}

}  // namespace
}  // namespace southwell::solvers
#endif
