#include "southwell/model/model_table.hpp"

#include <string>

#include "southwell/core/error.hpp"

namespace southwell::model {

std::shared_ptr<const data::TableEncoding> table_of(const LinearModel& model,
                                                    const std::string& name) {
  if (model.attachments.schema.empty()) return nullptr;
  const std::string where = name + ": schema";
  auto schema =
      std::make_shared<const data::Schema>(data::Schema::parse(model.attachments.schema, where));
  auto table = std::make_shared<const data::TableEncoding>(std::move(schema), where);
  if (table->features() != model.features) {
    throw DataError(where + ": makes " + std::to_string(table->features()) +
                    " features, the model has " + std::to_string(model.features) +
                    "; accepted are as many");
  }
  return table;
}

}  // namespace southwell::model
