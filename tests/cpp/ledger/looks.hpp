#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "southwell/ledger/ledger.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::ledger {

/// The statement of a look at the records that released one number with Laplace noise of epsilon
/// shift / 1000.
inline model::Statement laplace_look(std::uint64_t shift) {
  model::Statement statement;
  statement.epsilon = static_cast<double>(shift) / 1000.0;
  statement.relation = "replace_one";
  statement.records = 1000.0;
  statement.mechanisms.push_back(
      {"release",
       "discrete_laplace",
       {.kind = privacy::Cost::Kind::discrete_laplace, .shift = shift, .scale = 1000},
       1});
  model::settle_spent(statement);
  model::settle_guarantee(statement, {});
  return statement;
}

/// The same with Gaussian noise, of sigma scale / shift, so many times.
inline model::Statement gaussian_look(std::uint64_t scale, std::uint64_t times = 1) {
  model::Statement statement = laplace_look(1);
  statement.delta = 1e-6;
  statement.mechanisms = {
      {"release",
       "discrete_gaussian",
       {.kind = privacy::Cost::Kind::discrete_gaussian, .shift = 1000, .scale = scale},
       times}};
  model::settle_spent(statement);
  statement.epsilon = statement.epsilon_spent;
  model::settle_guarantee(statement, {});
  return statement;
}

/// A directory that goes with it.
class Place {
 public:
  Place() {
    static std::atomic<int> number = 0;
    directory_ = std::filesystem::temp_directory_path() /
                 ("ledger_test_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directory(directory_);
  }
  ~Place() { std::filesystem::remove_all(directory_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::filesystem::path file(const std::string& name = "people.jsonl") const {
    return directory_ / name;
  }

 private:
  std::filesystem::path directory_;
};

inline std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

inline Ledger small_ledger(const Place& place, double epsilon = 1.0, double delta = 1e-6) {
  return Ledger::create(place.file(), {.epsilon = epsilon, .delta = delta});
}

/// A model as a fit with this reservation leaves it.
inline model::LinearModel model_of(const Reservation& reservation,
                                   const model::Statement& statement) {
  model::LinearModel model;
  model.privacy = statement;
  model.attachments.ledger_entry = reservation.attachment();
  return model;
}

}  // namespace southwell::ledger
