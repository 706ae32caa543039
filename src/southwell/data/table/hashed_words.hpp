#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "southwell/data/table/decoded.hpp"

namespace southwell::data {

/// Appends the words of a text by feature, each with its count. A word is two or more bytes of
/// letters, digits, underscores and whatever is no ASCII, in lower case as far as it is ASCII; its
/// feature, one of `features`, a power of two, is a hash that is the same on every machine. Words
/// of the same hash count together.
void append_words(std::string_view text, std::size_t features, std::vector<WordCount>& out);

}  // namespace southwell::data
