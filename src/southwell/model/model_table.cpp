#include "southwell/model/model_table.hpp"

#include <string>

#include "southwell/core/error.hpp"

namespace southwell::model {

std::shared_ptr<const data::TableEncoding> table_of(const LinearModel& model,
                                                    const std::string& name) {
  if (model.attachments.schema.empty()) return nullptr;
  return table_of(model.attachments.schema, model.features, name);
}

std::shared_ptr<const data::TableEncoding> table_of(const std::string& schema, std::size_t features,
                                                    const std::string& name) {
  const std::string where = name + ": schema";
  auto parsed = std::make_shared<const data::Schema>(data::Schema::parse(schema, where));
  auto table = std::make_shared<const data::TableEncoding>(std::move(parsed), where);
  if (table->features() != features) {
    throw DataError(where + ": makes " + std::to_string(table->features()) +
                    " features, the model has " + std::to_string(features) +
                    "; accepted are as many");
  }
  return table;
}

}  // namespace southwell::model
