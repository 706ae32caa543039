#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"

namespace southwell::problem {

/// The root of K: the norm at which records are clipped on the grid of second moments.
inline constexpr std::uint64_t kMomentNorm = std::uint64_t{1} << 10;

/// How far the sums below move in l2 norm, all entries together: by sqrt(2) K, rounded up, where a
/// unit is replaced, by K where one is added or removed (moment_sums.md).
inline constexpr std::uint64_t kReplacedMoments = 1'482'911;
inline constexpr std::uint64_t kAddedMoments = kMomentNorm * kMomentNorm;

/// All entries of sum_i u_i u_i', row after row: second moments of the chosen features in units of
/// the declared scales, where there is an intercept with a last feature that is 1. u_i is record i,
/// limited, times sqrt(w_i) kMomentNorm / norm on the grid, shrunk to |u_i|^2 <= B_i: clipped
/// first, so that the products are exact and the sums of a unit positive semidefinite; w_i and B_i
/// are those of RecordWeights. The coordinates of `parts` are those of the chosen features alone.
template <class Design>
Sensitive<std::vector<std::int64_t>> moment_sums(const GradientParts<Design>& parts,
                                                 std::span<const std::size_t> chosen, double norm,
                                                 core::ThreadPool& pool);

}  // namespace southwell::problem
