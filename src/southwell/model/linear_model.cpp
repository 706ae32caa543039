#include "southwell/model/linear_model.hpp"

#include "southwell/data/dataset.hpp"
#include "southwell/model/statement_words.hpp"

namespace southwell::model {

std::string feature_name(const LinearModel& model, std::size_t index) {
  if (index == model.features) return kInterceptName;
  return model.feature_names.empty() ? data::default_feature_name(index)
                                     : model.feature_names[index];
}

std::string class_name(const LinearModel& model, std::size_t index) {
  return model.class_names.empty() ? number_text(model.classes[index]) : model.class_names[index];
}

}  // namespace southwell::model
