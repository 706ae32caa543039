#include "southwell/data/sparse_design.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "southwell/core/error.hpp"

namespace southwell::data {
namespace {

void check_form(const Compressed& lists, std::size_t range) {
  const auto stored = static_cast<std::int64_t>(lists.indices.size());
  if (lists.indices.size() != lists.values.size()) {
    throw InvalidArgument("sparse design: given " + std::to_string(lists.indices.size()) +
                          " indices and " + std::to_string(lists.values.size()) +
                          " values, accepted are as many of one as of the other");
  }
  if (lists.offsets.empty() || lists.offsets.front() != 0 || lists.offsets.back() != stored ||
      !std::is_sorted(lists.offsets.begin(), lists.offsets.end())) {
    throw InvalidArgument(
        "sparse design: accepted are offsets that start at 0, never decrease and "
        "end at the number of entries, " +
        std::to_string(stored));
  }
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (range > kMost || lists.lists() > kMost) {
    throw InvalidArgument("sparse design: given " + std::to_string(std::max(range, lists.lists())) +
                          " records or features, accepted are at most " + std::to_string(kMost));
  }
  const auto end = static_cast<std::int32_t>(range);
  for (const std::int32_t index : lists.indices) {
    if (index < 0 || index >= end) {
      throw InvalidArgument("sparse design: given index " + std::to_string(index) +
                            ", accepted are 0 to " + std::to_string(range) + " exclusive");
    }
  }
}

bool strictly_increasing(const Compressed& lists, std::size_t k) {
  const auto* first = lists.indices.data() + lists.offsets[k];
  const auto* last = lists.indices.data() + lists.offsets[k + 1];
  return std::adjacent_find(first, last, std::greater_equal<>()) == last;
}

/// Sorts each list and adds up entries of the same index (in their given order).
void canonicalise(Compressed& lists) {
  std::size_t k = 0;
  while (k < lists.lists() && strictly_increasing(lists, k)) ++k;
  if (k == lists.lists()) return;  // the usual case: nothing moves

  std::size_t write = static_cast<std::size_t>(lists.offsets[k]);
  struct Entry {
    std::int32_t index;
    std::size_t given;  // its place, so that equal indices keep their order
    double value;
  };
  std::vector<Entry> entries;
  for (; k < lists.lists(); ++k) {
    entries.clear();
    for (auto e = static_cast<std::size_t>(lists.offsets[k]);
         e < static_cast<std::size_t>(lists.offsets[k + 1]); ++e) {
      entries.push_back({lists.indices[e], e, lists.values[e]});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.index != b.index ? a.index < b.index : a.given < b.given;
    });
    lists.offsets[k] = static_cast<std::int64_t>(write);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (e > 0 && entries[e].index == entries[e - 1].index) {
        lists.values[write - 1] += entries[e].value;
        continue;
      }
      lists.indices[write] = entries[e].index;
      lists.values[write] = entries[e].value;
      ++write;
    }
  }
  lists.offsets.back() = static_cast<std::int64_t>(write);
  lists.indices.resize(write);
  lists.values.resize(write);
}

/// The same entries listed by the other index. Each part of the lists counts, then fills, its own
/// share of every output list, so the result does not depend on the number of threads.
Compressed transposed(const Compressed& in, std::size_t range, core::ThreadPool& pool) {
  const std::size_t parts =
      in.indices.size() < 100'000 ? 1 : static_cast<std::size_t>(pool.threads());
  const auto begin_of = [&](std::size_t part) { return in.lists() * part / parts; };
  std::vector<std::vector<std::int64_t>> place(parts);
  pool.run(parts, [&](std::size_t part) {
    place[part].assign(range, 0);
    const auto last = in.offsets[begin_of(part + 1)];
    for (auto e = in.offsets[begin_of(part)]; e < last; ++e) {
      ++place[part][static_cast<std::size_t>(in.indices[static_cast<std::size_t>(e)])];
    }
  });
  Compressed out;
  out.offsets.resize(range + 1);
  std::int64_t total = 0;
  for (std::size_t j = 0; j < range; ++j) {
    out.offsets[j] = total;
    for (auto& counts : place) total += std::exchange(counts[j], total);
  }
  out.offsets[range] = total;
  out.indices.resize(in.indices.size());
  out.values.resize(in.values.size());
  pool.run(parts, [&](std::size_t part) {
    for (std::size_t i = begin_of(part); i < begin_of(part + 1); ++i) {
      for (auto e = static_cast<std::size_t>(in.offsets[i]);
           e < static_cast<std::size_t>(in.offsets[i + 1]); ++e) {
        const auto to =
            static_cast<std::size_t>(place[part][static_cast<std::size_t>(in.indices[e])]++);
        out.indices[to] = static_cast<std::int32_t>(i);
        out.values[to] = in.values[e];
      }
    }
  });
  return out;
}

std::shared_ptr<const Compressed> shared(Compressed lists) {
  return std::make_shared<const Compressed>(std::move(lists));
}

}  // namespace

SparseDesign SparseDesign::from_records(Compressed by_record, std::size_t features,
                                        core::ThreadPool& pool) {
  check_form(by_record, features);
  canonicalise(by_record);
  SparseDesign design(transposed(by_record, features, pool), by_record.lists());
  std::call_once(design.by_record_->asked,
                 [&] { design.by_record_->lists = shared(std::move(by_record)); });
  return design;
}

SparseDesign SparseDesign::from_features(Compressed by_feature, std::size_t records) {
  check_form(by_feature, records);
  canonicalise(by_feature);
  return {std::move(by_feature), records};
}

SparseDesign::SparseDesign(Compressed by_feature, std::size_t records)
    : records_(records),
      by_feature_(shared(std::move(by_feature))),
      by_record_(std::make_shared<ByRecord>()) {}

const std::shared_ptr<const Compressed>& SparseDesign::by_record() const {
  std::call_once(by_record_->asked, [&] {
    core::ThreadPool alone(1);
    by_record_->lists = shared(transposed(*by_feature_, records_, alone));
  });
  return by_record_->lists;
}

}  // namespace southwell::data
