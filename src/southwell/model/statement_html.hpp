#pragma once

#include <functional>
#include <string>

#include "southwell/model/linear_model.hpp"

namespace southwell::model {

class Page;

/// What another room has to show on a page of this one.
using PageSection = std::function<void(Page& page)>;

/// A whole page, or a part to be shown within another (a notebook).
enum class HtmlForm { page, part };

/// The statement and what the noise does to the coefficients, for somebody who has to judge it and
/// need not know the library. Nothing is loaded from elsewhere. A model without heads has no
/// coefficients yet: that of a plan. `section` stands between the promise and the coefficients.
std::string to_html(const LinearModel& model, HtmlForm form, const PageSection& section = {});

}  // namespace southwell::model
