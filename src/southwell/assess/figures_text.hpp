#pragma once

#include <string>

#include "southwell/assess/figure.hpp"
#include "southwell/model/statement_html.hpp"

namespace southwell::assess {

/// All figures by their names, the curves, and `privacy`, the statement: what `evaluate --json`
/// prints of a private evaluation. What is not determined is null.
std::string to_json(const PrivateFigures& figures);

/// A table for people: value, interval and the two kinds of error of each.
std::string to_text(const PrivateFigures& figures);

/// The same with curves drawn, and the statement; nothing is loaded from elsewhere.
std::string to_html(const PrivateFigures& figures, model::HtmlForm form);
/// The figures alone, for a page that says more.
void add_all_figures(model::Page& page, const PrivateFigures& figures);
/// The same without the figures, also of an evaluation that is still to come.
std::string statement_html(const model::Statement& statement, model::HtmlForm form);

/// What is said where a figure is not determined.
inline constexpr const char* kNotDetermined = "not determined at this budget";

}  // namespace southwell::assess
