#include "southwell/fit/draft.hpp"

#include <string>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/fit/inputs.hpp"

namespace southwell::fit {

std::uint64_t Draft::charged(std::uint64_t iterations) {
  return fault(Fault::fit_counts_half_its_iterations) ? (iterations + 1) / 2 : iterations;
}

void Draft::limit_records(double norm) {
  record_limit.norm = norm;
  note("record_limit", norm, Source::standard);
}

void Draft::note(std::string_view input, PublicInput::Value value) {
  const bool given = is_given(input_named(input), spec);
  note(input, std::move(value), given ? Source::user : Source::standard);
}

void Draft::note(std::string_view name, PublicInput::Value value, Source source) {
  statement.public_inputs.push_back({std::string(name), std::move(value), source});
}

std::string Draft::note_word(std::string_view input) {
  const std::string word = word_of(input_named(input), spec);
  note(input, word);
  return word;
}

bool Draft::note_switch(std::string_view input, const std::optional<bool>& given, bool automatic) {
  const bool on = given.value_or(automatic);
  note(input, on ? "on" : "off");
  return on;
}

}  // namespace southwell::fit
