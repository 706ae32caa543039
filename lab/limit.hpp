#pragma once

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::lab {

/// The records as they enter a model that limits them; as they are where it does not.
data::AnyDesign limited(const data::AnyDesign& design, const problem::RecordLimit& limit,
                        core::ThreadPool& pool);

}  // namespace southwell::lab
