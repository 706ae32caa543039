// Answers questions of the Python tests about the privacy room, one line each, read from standard
// input; whole numbers in decimal.
//   weights SCALE SCORE...            the exponential mechanism's weights in units of 2^-104
//   select SCALE W0 W1 W2 W3 SCORE... its choice for the uniform number of these four words
//   scale SHIFT EPSILON LARGEST       scale_for; EPSILON as a hexadecimal double
//   laplace|gaussian SEED SCALE COUNT draws of the seeded stream
//   cell W0 W1 ...                    the cell of the number with these words, -1 for none
//   noisy_max SEED SCALE COUNT SCORE...  each index that was chosen, and how often
//   moment add|replace SHIFT SIGMA SAMPLED OMEGA...  renyi_log_moment of a sampled Gaussian,
//   repeated HALF_SHAPE|poisson MEAN DELTA SHIFT SIGMA COUNT  repeated_epsilon of Gaussian runs
//   decimal clip CLIP X...                    an l2 share; doubles in hexadecimal

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/rdp.hpp"
#include "southwell/privacy/accounting/repeated_runs.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/mechanisms/selection_weights.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"
#include "southwell/privacy/random/gaussian_cells.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"

namespace southwell::privacy {
namespace {

template <class T>
T next(std::istream& in) {
  T value{};
  if (!(in >> value)) throw InvalidArgument("privacy_oracle: an argument is missing");
  return value;
}

double next_double(std::istream& in) { return std::strtod(next<std::string>(in).c_str(), nullptr); }

template <class T>
std::vector<T> rest(std::istream& in) {
  std::vector<T> values;
  for (T value{}; in >> value;) values.push_back(value);
  return values;
}

std::string decimal(Uint128 value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

void answer_clip(std::istream& in, std::ostream& out) {
  const double factor = static_cast<double>(problem::ProductClip::kBound) / next_double(in);
  std::vector<double> values;
  for (const std::string& text : rest<std::string>(in)) {
    values.push_back(std::strtod(text.c_str(), nullptr));
  }
  const std::vector<double> factors(values.size(), factor);
  std::vector<std::int32_t> grid(values.size());
  std::vector<std::int64_t> share(values.size());
  problem::L2Shrink(
      problem::grid_entries(values.data(), 1.0, factors.data(), values.size(), grid.data()))
      .add_to(share.data(), grid.data(), grid.size());
  for (const std::int64_t entry : share) out << entry << ' ';
}

std::string repeated(std::istream& in) {
  const auto shape = next<std::string>(in);
  const double mean = next<double>(in);
  const RunLaw law = shape == "poisson" ? RunLaw::poisson(mean)
                                        : RunLaw::negative_binomial(
                                              static_cast<std::uint32_t>(std::stoul(shape)), mean);
  const double delta = next<double>(in);
  const auto shift = next<std::uint64_t>(in);
  const auto sigma = next<std::uint64_t>(in);
  Composition one;
  one.add({Cost::Kind::discrete_gaussian, shift, sigma}, next<std::uint64_t>(in));
  const std::vector<Composition> met{one};
  std::ostringstream out;
  out.precision(17);
  out << repeated_epsilon(met, law, delta);
  return out.str();
}

void answer(std::istream& in, std::ostream& out) {
  const auto command = next<std::string>(in);
  if (command == "weights") {
    const auto scale = next<std::uint64_t>(in);
    const auto scores = rest<std::int64_t>(in);
    for (const Uint128 weight : SelectionWeights(scores, scale).all())
      out << decimal(weight) << ' ';
  } else if (command == "select") {
    const auto scale = next<std::uint64_t>(in);
    std::vector<std::uint64_t> words(4);
    for (auto& word : words) word = next<std::uint64_t>(in);
    ScriptedRandomBits bits(words);
    out << ExponentialMechanism(1, scale).release(Sensitive(rest<std::int64_t>(in)), bits);
  } else if (command == "scale") {
    const auto shift = next<std::uint64_t>(in);
    const double epsilon = next_double(in);
    out << scale_for(shift, epsilon, next<std::uint64_t>(in));
  } else if (command == "laplace" || command == "gaussian") {
    SeededRandomBits bits(next<std::uint64_t>(in));
    const auto scale = next<std::uint64_t>(in);
    for (auto left = next<int>(in); left > 0; --left) {
      const Int128 noise =
          command == "laplace" ? discrete_laplace(scale, bits) : discrete_gaussian(scale, bits);
      out << static_cast<std::int64_t>(noise) << ' ';
    }
  } else if (command == "cell") {
    ScriptedRandomBits bits(rest<std::uint64_t>(in));
    out << static_cast<std::int64_t>(GaussianCells::instance().draw([&] { return bits.word(); }));
  } else if (command == "noisy_max") {
    SeededRandomBits bits(next<std::uint64_t>(in));
    const NoisyMax choose(1, next<std::uint64_t>(in));
    const auto count = next<int>(in);
    const Sensitive<Scores> scores(rest<std::int64_t>(in));
    std::map<std::size_t, int> chosen;
    for (int i = 0; i < count; ++i) ++chosen[choose.release(scores, bits)];
    for (const auto& [index, times] : chosen) out << index << ' ' << times << ' ';
  } else if (command == "moment") {
    const auto kind = next<std::string>(in) == "add" ? Cost::Kind::sampled_gaussian_add_or_remove
                                                     : Cost::Kind::sampled_gaussian_replace;
    const auto shift = next<std::uint64_t>(in);
    const auto sigma = next<std::uint64_t>(in);
    const auto sampled = next<std::uint64_t>(in);
    out.precision(17);
    for (const double omega : rest<double>(in)) {
      out << renyi_log_moment({kind, shift, sigma, sampled}, omega) << ' ';
    }
  } else if (command == "repeated") {
    out << repeated(in);
  } else if (command == "clip") {
    answer_clip(in, out);
  } else {
    throw InvalidArgument("privacy_oracle: no question is named " + command);
  }
}

}  // namespace
}  // namespace southwell::privacy

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::ostringstream out;
    try {
      southwell::privacy::answer(in, out);
    } catch (const std::exception& error) {
      out.str(std::string("error ") + error.what());
    }
    std::cout << out.str() << '\n';
  }
}
