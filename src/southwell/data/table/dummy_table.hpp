#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "southwell/data/table/schema.hpp"

namespace southwell::data {

struct DummyOptions {
  std::size_t records = 0;
  std::uint64_t seed = 0;
};

/// Made-up records that obey a schema, as CSV with a first line of names, handed to `put` in
/// pieces: every value anywhere its field allows, now and then a feature's cell missing, some
/// records to a unit. The same seed gives the same bytes. Nobody's data: to try a schema and a
/// budget on.
void write_dummy_table(const Schema& schema, const DummyOptions& options,
                       const std::function<void(std::string_view)>& put);

}  // namespace southwell::data
