#include "released_model.hpp"

#include <fmt/core.h>

#include "coefficient_table.hpp"
#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/save_json.hpp"
#include "warnings.hpp"

namespace southwell::cli {

void write_and_print(const model::LinearModel& model, const model::Statement& planned,
                     data::FileWriter& writer, const std::string& file, const ModelWords& words) {
  model::write(model, writer);
  writer.commit();
  warn_of(model.privacy, planned);
  fmt::print("guarantee: {}\n{}", model.privacy.guarantee, words.lines);
  print_coefficients(model);
  if (const auto figures = assess::figures_of(model)) {
    fmt::print("\non records {}\n{}", words.figures, assess::to_text(*figures));
  }
  const std::string name = core::printable(file);
  fmt::print("\n{}: {} with its statement (southwell inspect {})\n", name, words.model, name);
}

}  // namespace southwell::cli
