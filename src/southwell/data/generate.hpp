#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::data {

/// The paper's synthetic problems (its section on experiments). Records are rows of a normal
/// matrix, its columns standardised; the noise is standard normal.
enum class Synthetic {
  log1,    ///< truth log-normal(0, 1), target the sign of Xw + noise
  log2,    ///< truth log-normal(0, 2), target the sign of Xw + noise
  square,  ///< truth 10 coefficients uniform on (0, 100), target Xw + noise
};

/// The names in order, as users write them.
std::span<const std::string_view> synthetic_names();
/// Throws InvalidArgument, naming what is accepted.
Synthetic synthetic_from_name(std::string_view name);

struct GenerateOptions {
  std::optional<std::size_t> records{};  ///< default: the paper's 1000
  std::optional<std::size_t>
      features{};  ///< default: the paper's, 100 for log1 and log2, 1000 for square
  std::uint64_t seed = 0;
  core::Progress progress{};
};

struct Generated {
  Dataset dataset;            ///< dense f64, features unnamed
  std::vector<double> truth;  ///< the coefficients that made the target
};

/// The same bits for the same options on every machine, compiler and number of threads.
Generated generate(Synthetic problem, const GenerateOptions& options, core::ThreadPool& pool);

}  // namespace southwell::data
