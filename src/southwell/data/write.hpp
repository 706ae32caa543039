#pragma once

#include <filesystem>

#include "southwell/core/parallel.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::data {

class FileWriter;

/// Writes by extension, each also with .gz; every number reads back to the same bits.
/// - .csv: a header (x1 .. xp where features have no names), the target last;
/// - .libsvm, .svm: the target (0 if there is none), then the entries that are not zero, from index
/// 1;
/// - .npy: float64, one row per record, the target as the last column.
void write(const std::filesystem::path& file, const Dataset& dataset, core::ThreadPool& pool,
           const core::Progress& progress = {});

/// The same into a file of the name `file` that is open already; whoever opened it commits it.
void write(FileWriter& out, const std::filesystem::path& file, const Dataset& dataset,
           core::ThreadPool& pool, const core::Progress& progress = {});

}  // namespace southwell::data
