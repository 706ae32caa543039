#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/data/table/field.hpp"

namespace southwell::data {

/// What a raw table's columns are and how they become features: a Frictionless Table Schema whose
/// own words stand under `southwell` (docs/tables.md). A schema is public, and every encoding is a
/// function of it and of one record.
class Schema {
 public:
  /// Throws DataError, naming the field, the key, what was given and what is accepted, for a schema
  /// that is incomplete or contradicts itself. `name` is the file's, for messages.
  static Schema parse(const std::string& text, const std::string& name);
  static Schema from_file(const std::filesystem::path& file);

  const std::vector<Field>& fields() const { return fields_; }
  /// Pairs of fields, by number, whose products are features.
  const std::vector<std::pair<std::size_t, std::size_t>>& interactions() const {
    return interactions_;
  }
  std::optional<std::size_t> target() const { return field_with(Role::target); }
  std::optional<std::size_t> unit() const { return field_with(Role::unit); }
  std::optional<std::size_t> find(std::string_view name) const;
  /// The schema as JSON on one line, other people's keys included. It parses to this schema.
  const std::string& text() const { return text_; }

 private:
  Schema() = default;
  std::optional<std::size_t> field_with(Role role) const;

  std::vector<Field> fields_;
  std::vector<std::pair<std::size_t, std::size_t>> interactions_;
  std::string text_;
};

}  // namespace southwell::data
