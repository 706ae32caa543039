#include "southwell/model/linear_model.hpp"

#include "southwell/data/dataset.hpp"

namespace southwell::model {

std::string feature_name(const LinearModel& model, std::size_t index) {
  if (index == model.features) return kInterceptName;
  return model.feature_names.empty() ? data::default_feature_name(index)
                                     : model.feature_names[index];
}

}  // namespace southwell::model
