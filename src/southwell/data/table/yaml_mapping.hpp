#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace southwell::data {

/// A key of a YAML mapping, with what stands behind it: text, or a mapping of its own.
struct YamlEntry {
  std::string key;
  std::string text{};                ///< without quotes; empty where there is none
  std::vector<YamlEntry> entries{};  ///< a mapping of its own
  std::size_t line = 0;              ///< from 1

  const YamlEntry* find(std::string_view key) const;
};

/// Nested mappings in lines of `key: text`, comments, and quotes around keys and texts: as much of
/// YAML as files of metadata have. Throws DataError with file and line for anything else: lists,
/// braces, several lines of text, anchors, tags, tabs, a key given twice.
std::vector<YamlEntry> parse_yaml_mapping(std::string_view text, const std::string& name);

}  // namespace southwell::data
