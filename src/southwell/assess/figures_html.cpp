#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "southwell/assess/figures_text.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/html_page.hpp"

namespace southwell::assess {
namespace {

using model::Page;
using model::place;

/// A square of numbers from 0 to 1, with its frame and the marks of its axes.
class Square {
 public:
  Square(Page& page, const std::string& caption, const std::string& x, const std::string& y)
      : page_(page), caption_(caption) {
    page_.markup("<figure><svg viewBox=\"-16 0 436 400\" role=\"img\" aria-label=\"")
        .text(caption)
        .markup("\">");
    page_.markup(
        "<rect x=\"50\" y=\"10\" width=\"350\" height=\"340\" fill=\"none\" "
        "stroke=\"#8a94a0\"/>");
    for (const double mark : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      line(mark, 0.0, mark, 1.0, "#e3e7ec");
      line(0.0, mark, 1.0, mark, "#e3e7ec");
      text(at_x(mark), 366.0, core::number_text(mark), "middle");
      text(44.0, at_y(mark) + 4.0, core::number_text(mark), "end");
    }
    text(225.0, 390.0, x, "middle");
    page_
        .markup(
            "<text transform=\"translate(0 180) rotate(-90)\" font-size=\"13\" "
            "text-anchor=\"middle\" fill=\"#1c2430\">")
        .text(y)
        .markup("</text>");
    line(0.0, 0.0, 1.0, 1.0, "#8a94a0", " stroke-dasharray=\"5 5\"");
  }
  ~Square() { page_.markup("</svg>").element("figcaption", caption_).markup("</figure>\n"); }
  Square(const Square&) = delete;
  Square& operator=(const Square&) = delete;

  void line(double x1, double y1, double x2, double y2, const std::string& colour,
            const std::string& more = "") {
    page_.markup("<line x1=\"" + place(at_x(x1)) + "\" y1=\"" + place(at_y(y1)) + "\" x2=\"" +
                 place(at_x(x2)) + "\" y2=\"" + place(at_y(y2)) + "\" stroke=\"" + colour + "\"" +
                 more + "/>");
  }
  void curve(const std::vector<double>& x, const std::vector<double>& y) {
    page_.markup("<polyline fill=\"none\" stroke=\"#173f6d\" stroke-width=\"2.5\" points=\"");
    for (std::size_t k = 0; k < x.size(); ++k) {
      page_.markup(place(at_x(x[k])) + "," + place(at_y(y[k])) + " ");
    }
    page_.markup("\"/>");
  }
  void point(double x, const Figure& y) {
    line(x, y.low, x, y.high, "#9db7d5", " stroke-width=\"5\"");
    page_.markup("<circle cx=\"" + place(at_x(x)) + "\" cy=\"" + place(at_y(y.value)) +
                 "\" r=\"4\" fill=\"#173f6d\"/>");
  }

 private:
  static double at_x(double x) { return 50.0 + 350.0 * x; }
  static double at_y(double y) { return 350.0 - 340.0 * y; }
  void text(double x, double y, const std::string& words, const std::string& anchor) {
    page_.markup("<text x=\"" + place(x) + "\" y=\"" + place(y) + "\" font-size=\"13\" " +
                 "fill=\"#1c2430\" text-anchor=\"" + anchor + "\">");
    page_.text(words).markup("</text>");
  }

  Page& page_;
  std::string caption_;
};

std::string number(double value) { return core::rounded_text(value, 4); }

/// An interval on a line from the least end shown to the largest, 1000 wide.
void add_interval(Page& page, const Figure& figure, double least, double most) {
  const auto at = [&](double value) {
    return place(10.0 + 980.0 * (value - least) / (most - least));
  };
  const double high = std::isnan(figure.high) ? most : figure.high;
  const double width = 980.0 * (high - figure.low) / (most - least);
  // What it shows stands beside it in numbers.
  page.markup("<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
      .markup("<rect x=\"" + at(figure.low) + "\" y=\"4\" width=\"" + place(width) +
              "\" height=\"12\" fill=\"#9db7d5\"/>")
      .markup("<rect x=\"" + at(figure.value) +
              "\" y=\"2\" width=\"6\" height=\"16\" fill=\"#173f6d\"/></svg>");
}

void add_figures(Page& page, const PrivateFigures& figures) {
  page.element("h2", "The figures");
  page.element("p",
               "Each is an estimate. The interval holds the figure of all records like these, "
               "which they are a sample of, in 95 of 100 evaluations; it has the noise that "
               "protects the records and the chance of the sample, shown apart as standard "
               "deviations.");
  page.markup("<table>\n<tr>").element("th", "figure").element("th class=\"n\"", "value");
  page.element("th class=\"n\"", "95 % interval").element("th class=\"n\"", "noise sd");
  page.element("th class=\"n\"", "sampling sd").markup("</tr>\n");
  for (const auto& [name, figure] : figures.figures) {
    page.markup("<tr>").element("td class=\"name\"", name);
    if (!figure.is_determined()) {
      page.element("td colspan=\"4\"", kNotDetermined).markup("</tr>\n");
      continue;
    }
    page.element("td class=\"n\"", number(figure.value));
    page.element("td class=\"n\"", number(figure.low) + " to " +
                                       (std::isnan(figure.high) ? "no end" : number(figure.high)));
    page.element("td class=\"n\"", number(figure.noise_sd));
    page.element("td class=\"n\"", number(figure.sampling_sd)).markup("</tr>\n");
  }
  page.markup("</table>\n");
}

void add_curves(Page& page, const PrivateFigures& figures) {
  if (figures.roc.true_positive_rate.empty() && figures.calibration.empty()) return;
  page.markup("<div class=\"figures\">");
  if (!figures.roc.true_positive_rate.empty()) {
    Square square(page, "ROC: what a threshold on the prediction finds, and at what price.",
                  "share of the first class above it", "share of the second class above it");
    square.curve(figures.roc.false_positive_rate, figures.roc.true_positive_rate);
  }
  if (!figures.calibration.empty()) {
    Square square(page,
                  "Calibration: how often the second class came where it was predicted with a "
                  "probability. Points without enough records are left out.",
                  "predicted probability", "observed share");
    for (const CalibrationPoint& point : figures.calibration) {
      square.point(point.predicted, point.observed);
    }
  }
  page.markup("</div>\n");
}

void add_errors(Page& page, const PrivateFigures& figures) {
  if (figures.errors.empty()) return;
  page.element("h2", "How large the errors are");
  double most = 0.0;
  for (const ErrorBar& bar : figures.errors) most = std::max(most, bar.share.high);
  page.markup("<table>\n<tr>").element("th", "size of the error");
  page.element("th class=\"chart\"", "share of records").element("th class=\"n\"", "share");
  page.markup("</tr>\n");
  for (const ErrorBar& bar : figures.errors) {
    page.markup("<tr>").element("td", std::isfinite(bar.to)
                                          ? number(bar.from) + " to " + number(bar.to)
                                          : "above " + number(bar.from));
    page.markup("<td class=\"chart\">");
    add_interval(page, bar.share, 0.0, most > 0.0 ? most : 1.0);
    page.markup("</td>").element("td class=\"n\"", number(bar.share.value)).markup("</tr>\n");
  }
  page.markup("</table>\n");
}

void add_confusion(Page& page, const PrivateFigures& figures) {
  constexpr std::size_t kMostShown = 20;
  const std::size_t classes = figures.class_names.size();
  if (classes == 0 || classes > kMostShown) return;
  page.element("h2", "Confusion matrix");
  page.element("p", "Shares of all records: rows are true classes, columns predicted ones.");
  page.markup("<table>\n<tr>").element("th", "");
  for (const std::string& name : figures.class_names) page.element("th class=\"n\"", name);
  page.markup("</tr>\n");
  for (std::size_t t = 0; t < classes; ++t) {
    page.markup("<tr>").element("th", figures.class_names[t]);
    for (std::size_t p = 0; p < classes; ++p) {
      const Figure& share = figures.confusion[t * classes + p];
      page.element("td class=\"n\"", !share.is_determined()
                                         ? "-"
                                         : core::rounded_text(share.value, 3) + " (" +
                                               core::rounded_text(share.low, 3) + " to " +
                                               core::rounded_text(share.high, 3) + ")");
    }
    page.markup("</tr>\n");
  }
  page.markup("</table>\n");
}

/// The promise, what `add` has to show, and what all of it rests on.
template <class Add>
std::string page_of(const model::Statement& statement, model::HtmlForm form, const Add& add) {
  const bool is_page = form == model::HtmlForm::page;
  Page page;
  page.begin(is_page, "Private evaluation: " + statement.guarantee);
  page.element("h1", "Private evaluation");
  page.element("small", std::string("figures of a linear model; southwell ") + kVersion);
  model::add_promise_and_facts(
      page, statement,
      {"these figures",
       "These figures promise nothing about the records they are of. They must be handled like the "
       "records themselves."});
  add(page);
  model::add_grounds(page, statement);
  page.end(is_page);
  return std::move(page).take();
}

}  // namespace

void add_all_figures(Page& page, const PrivateFigures& figures) {
  add_figures(page, figures);
  add_curves(page, figures);
  add_errors(page, figures);
  add_confusion(page, figures);
}

std::string to_html(const PrivateFigures& figures, model::HtmlForm form) {
  return page_of(figures.privacy, form, [&](Page& page) { add_all_figures(page, figures); });
}

std::string statement_html(const model::Statement& statement, model::HtmlForm form) {
  return page_of(statement, form, [](Page&) {});
}

}  // namespace southwell::assess
