#pragma once

#include <string>
#include <string_view>

namespace southwell::data {

/// Appends text as a CSV field: in quotes where it has to be. It reads back as it is.
void append_csv_text(std::string& out, std::string_view text);

/// The same for a file that people open in a spreadsheet, which would run text that begins like a
/// formula. Text whose first character, blanks aside, is one of = + - @ (also their full-width
/// forms), a tab, a carriage return or an apostrophe, and that is no finite number, gets an
/// apostrophe in front, and quotes around both. Whoever takes one apostrophe off the front of every
/// text that begins with one has the text again: none begins with one of its own.
void append_spreadsheet_text(std::string& out, std::string_view text);

}  // namespace southwell::data
