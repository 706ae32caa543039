#include "southwell/data/row_blocks.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace southwell::data {

template <std::floating_point T>
void RowBlocks<T>::add(RowBlock<T> block) {
  if (block.records == 0) return;
  first_record_.push_back(records_);
  records_ += block.records;
  blocks_.push_back(std::move(block));
}

template <std::floating_point T>
DenseDesign<T> RowBlocks<T>::take(core::ThreadPool& pool, std::vector<double>* target) {
  if (blocks_.size() == 1 && blocks_[0].capacity() == records_) {
    if (target != nullptr) copy_target(*target);
    const auto block = std::make_shared<RowBlock<T>>(std::move(blocks_[0]));
    return {std::shared_ptr<const T[]>(block, block->column(0)), records_, features_};
  }
  DenseDesign<T> design = copied_design(pool);
  if (target != nullptr) copy_target(*target);
  blocks_.clear();
  return design;
}

template <std::floating_point T>
DenseDesign<T> RowBlocks<T>::copied_design(core::ThreadPool& pool) {
  auto storage = std::make_shared_for_overwrite<T[]>(records_ * features_);
  T* const out = storage.get();
  // A 32nd of the columns at a time, from all blocks: what is in memory twice stays below 4 %. Few
  // long columns are given back piece by piece as well.
  constexpr std::size_t kRounds = 32;
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t first = features_ * round / kRounds;
    const std::size_t last = features_ * (round + 1) / kRounds;
    if (first == last) continue;
    pool.run_ranges(blocks_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        RowBlock<T>& block = blocks_[b];
        std::size_t copied = 0;
        for (std::size_t j = first; j < last; ++j) {
          std::copy_n(block.column(j), block.records, out + j * records_ + first_record_[b]);
          copied += block.records * sizeof(T);
          if (copied >= kPiece) {
            block.release_before(j + 1);
            copied = 0;
          }
        }
        block.release_before(last);
      }
    });
  }
  return {std::move(storage), records_, features_};
}

template <std::floating_point T>
void RowBlocks<T>::copy_target(std::vector<double>& target) {
  target.reserve(records_);
  for (RowBlock<T>& block : blocks_) {
    target.insert(target.end(), block.target(), block.target() + block.records);
    block.release_target();
  }
}

template class RowBlocks<float>;
template class RowBlocks<double>;

}  // namespace southwell::data
