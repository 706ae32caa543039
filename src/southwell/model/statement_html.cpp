#include "southwell/model/statement_html.hpp"
#include "southwell/model/input_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>
#include <vector>

#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/html_page.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/noise_words.hpp"
#include "southwell/model/statement_words.hpp"
#include "southwell/model/user_terms.hpp"

namespace southwell::model {
namespace {

std::string neighbours_in_words(const Statement& statement) {
  return statement.relation == "add_or_remove_one"
             ? "adding or removing " + statement.unit
             : "exchanging " + statement.unit + " for any other" +
                   (statement.has_units() ? " records" : "");
}

/// The same bound as the factor, as the share of right guesses, rounded up.
std::string guesses_in_words(const Statement& statement, const StatementSubject& subject) {
  constexpr double kNearlyAll = 0.9999;
  const double right = right_guesses(statement.epsilon, statement.delta);
  return " In other words: somebody who knows everything else, and has to tell two such data sets "
         "apart by " +
         subject.name + ", each as likely as the other, can be right " +
         (right > kNearlyAll
              ? "practically always"
              : "in at most " + core::rounded_text(std::ceil(right * 1e4) / 100.0, 4) +
                    " of 100 cases") +
         ". Tossing a coin is right in 50. ";
}

void add_promise(Page& page, const Statement& statement, const StatementSubject& subject) {
  page.markup(statement.is_private ? "<div class=\"promise\">" : "<div class=\"promise none\">");
  page.element("b", "guarantee: " + statement.guarantee);
  if (statement.is_private) {
    if (statement.fit_alone) {
      page.text(
          "This speaks of the fit alone. What was done to the records before it, such as scaling "
          "them or filling in what is missing, may tell more about them and is not covered. ");
    }
    page.text("What anybody can learn about any one " +
              std::string(statement.has_units() ? "unit" : "record") + " from " + subject.name +
              " is limited, whatever else they know or learn later: " +
              neighbours_in_words(statement) +
              " changes the probability of every outcome by a factor of at most ")
        .text(core::rounded_text(std::exp(statement.epsilon), 3))
        .text(" (e to the epsilon)")
        .text(statement.delta > 0.0 ? ", to which a probability of " +
                                          number_text(statement.delta) + " (delta) may be added."
                                    : ", without exception.")
        .text(guesses_in_words(statement, subject))
        .element("strong", strength_text(statement.epsilon));
  } else {
    page.text(subject.without_promise);
  }
  page.markup("</div>\n");
}

void add_facts(Page& page, const Statement& statement) {
  page.markup("<table>\n");
  page.row("spent", spent_text(statement));
  page.row("neighbours", statement.relation + ": " + neighbours_in_words(statement));
  page.row("unit of privacy", statement.unit);
  page.row("records", divisor_text(statement));
  if (!statement.parts.empty()) page.row("parts", parts_text(statement));
  if (const std::string plans = plans_text(statement); !plans.empty()) page.row("plans", plans);
  if (statement.runs) page.row("runs", runs_text(*statement.runs));
  if (!statement.solver.empty()) page.row("fit", fit_text(statement));
  page.row("randomness", statement.randomness);
  page.row("ledger", statement.ledger);
  for (const std::string& warning : warnings_of(statement)) page.row("warning", warning);
  page.markup("</table>\n");
}

/// Where numbers lie on a line 1000 wide.
struct Axis {
  double least = 0.0;
  double most = 0.0;

  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  std::string at(double value) const {
    const double share = most > least ? (value - least) / (most - least) : 0.5;
    return place(10.0 + 980.0 * share);
  }
  std::string length(double value) const {
    return place(most > least ? 980.0 * value / (most - least) : 0.0);
  }
};

constexpr std::size_t kMostRows = 20;
constexpr double kBand = 2.0;  ///< standard deviations to either side

void add_bar(Page& page, const Axis& axis, const Coefficient& c) {
  const double half = std::isnan(c.noise_sd) ? 0.0 : kBand * c.noise_sd;
  // What it shows stands beside it in numbers.
  page.markup("<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
      .markup("<rect x=\"" + axis.at(c.value - half) + "\" y=\"4\" width=\"" +
              axis.length(2.0 * half) + "\" height=\"12\" fill=\"#9db7d5\"/>")
      .markup("<rect x=\"" + axis.at(0.0) +
              "\" y=\"0\" width=\"2\" height=\"20\" fill=\"#8a94a0\"/>")
      .markup("<rect x=\"" + axis.at(c.value) + "\" y=\"2\" width=\"6\" height=\"16\" " +
              "fill=\"#173f6d\"/></svg>");
}

/// The largest coefficients, after the intercept if there is one.
std::vector<Coefficient> shown_rows(const LinearModel& model, const Head& head) {
  std::vector<Coefficient> rows = head.coef;
  std::sort(rows.begin(), rows.end(), [](const Coefficient& a, const Coefficient& b) {
    const double size = std::fabs(a.value);
    const double other = std::fabs(b.value);
    return size != other ? size > other : a.index < b.index;
  });
  rows.resize(std::min(rows.size(), kMostRows));
  if (model.objective.intercept == problem::Intercept::free) {
    rows.insert(rows.begin(), {model.features, head.intercept, head.intercept_noise_sd});
  }
  return rows;
}

/// One for all classes, so that they can be compared.
Axis axis_of(const LinearModel& model) {
  Axis axis;
  for (const Head& head : model.heads) {
    for (const Coefficient& c : shown_rows(model, head)) {
      const double half = std::isnan(c.noise_sd) ? 0.0 : kBand * c.noise_sd;
      axis.include(c.value - half);
      axis.include(c.value + half);
    }
  }
  return axis;
}

/// What the shown coefficients say in the units of a raw table, by their index.
std::map<std::size_t, std::string> natural_texts(const LinearModel& model, const Head& head,
                                                 const data::TableEncoding& table) {
  const NaturalHead natural = in_user_terms(head, table, covariance_of(model));
  std::map<std::size_t, std::string> texts{
      {model.features, core::rounded_text(natural.intercept, 6)}};
  for (std::size_t k = 0; k < head.coef.size(); ++k) {
    const NaturalCoefficient& c = natural.coef[k];
    if (c.per.empty()) continue;
    texts[head.coef[k].index] = core::rounded_text(c.value, 6) + " " + c.per;
  }
  return texts;
}

/// The noise, and whether it leaves the sign.
std::string noise_text(const Coefficient& c) {
  if (std::isnan(c.noise_sd)) return std::string(kNotDetermined);
  if (c.noise_sd == 0.0) return "-";
  return core::rounded_text(c.noise_sd, 3) + (c.has_sign() ? "" : " (sign not determined)");
}

void add_head(Page& page, const LinearModel& model, const Head& head, const Axis& axis,
              const data::TableEncoding* table) {
  page.markup(table == nullptr ? "<table>\n<tr>" : "<table class=\"units\">\n<tr>");
  page.element("th", "feature").element("th class=\"chart\"", "coefficient and noise");
  page.element("th class=\"n\"", "coefficient").element("th class=\"n\"", "privacy noise sd");
  std::map<std::size_t, std::string> natural;
  if (table != nullptr) {
    natural = natural_texts(model, head, *table);
    page.element("th", "in table units");
  }
  page.markup("</tr>\n");
  for (const Coefficient& c : shown_rows(model, head)) {
    page.markup("<tr>").element("td class=\"name\"", feature_name(model, c.index));
    page.markup("<td class=\"chart\">");
    add_bar(page, axis, c);
    page.markup("</td>").element("td class=\"n\"", core::rounded_text(c.value, 6));
    page.element("td class=\"n\"", noise_text(c));
    if (table != nullptr) page.element("td", natural[c.index]);
    page.markup("</tr>\n");
  }
  page.markup("</table>\n");
  if (head.coef.size() > kMostRows) {
    page.element("p", std::to_string(head.coef.size() - kMostRows) + " more, none of them larger");
  }
}

void add_coefficients(Page& page, const LinearModel& model) {
  if (model.heads.empty()) return;
  page.element("h2", "The noise against the coefficients");
  page.element(
      "p",
      "The mark is the coefficient; the band is two standard deviations of its privacy "
      "noise to either side. A band that reaches the grey line, zero, says that noise alone "
      "could have made this coefficient, and its sign is not determined.");
  page.element("p", noise_sentences(model));
  const Axis axis = axis_of(model);
  const auto table = table_of(model);
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    if (model.heads.size() > 1) page.element("h3", "class " + class_name(model, h));
    add_head(page, model, model.heads[h], axis, table.get());
  }
  if (const std::string limit = limit_text(model); !limit.empty()) page.element("p", limit);
  if (table) page.element("p", std::string(kTableUnits[0]) + " " + kTableUnits[1]);
  if (model.heads.size() == 1) {
    page.element("p", std::to_string(model.features - model.heads[0].coef.size()) + " of " +
                          std::to_string(model.features) + " features have the coefficient 0.");
  }
}

void add_inputs(Page& page, const Statement& statement) {
  page.element("h2", "What was public, and where it came from");
  page.element("p",
               "user: declared by whoever fitted the model. default: a rule that looks at no "
               "record. mechanism: found in the records by a mechanism that the budget paid for. "
               "data: the form of the data, or, without a guarantee, read from the records.");
  page.markup("<table>\n");
  for (const PublicInput& input : statement.public_inputs) {
    const std::string source(name_of(input.source));
    page.markup("<tr>").element("th", input.name).markup("<td>");
    page.element("span class=\"source " + source + "\"", source).markup("</td>");
    page.element("td", input_text(input.value)).markup("</tr>\n");
  }
  page.markup("</table>\n");
}

void add_mechanisms(Page& page, const Statement& statement) {
  if (statement.mechanisms.empty()) return;
  page.element("h2", "Every look at the records");
  page.markup("<table>\n<tr>").element("th", "step").element("th", "mechanism");
  page.element("th class=\"n\"", "times").element("th", "one use costs").markup("</tr>\n");
  for (const MechanismUse& use : statement.mechanisms) {
    page.markup("<tr>").element("td", step_text(use)).element("td", use.name);
    page.element("td class=\"n\"", std::to_string(use.count)).element("td", cost_text(use.cost));
    page.markup("</tr>\n");
  }
  page.markup("</table>\n");
}

std::string subject(const LinearModel& model) {
  if (model.objective.loss.empty()) return "of a scale of features";
  return "of a linear model, loss " + model.objective.loss + ", penalty " + model.objective.penalty;
}

}  // namespace

void add_promise_and_facts(Page& page, const Statement& statement,
                           const StatementSubject& subject) {
  add_promise(page, statement, subject);
  add_facts(page, statement);
}

void add_grounds(Page& page, const Statement& statement) {
  add_inputs(page, statement);
  add_mechanisms(page, statement);
  page.element("h2", "What is covered").list(statement.covers);
  page.element("h2", "What is not covered").list(statement.not_covered);
}

std::string to_html(const LinearModel& model, HtmlForm form, const PageSection& section) {
  const Statement& statement = model.privacy;
  Page page;
  page.begin(form == HtmlForm::page, "Privacy statement: " + statement.guarantee);
  page.element("h1", "Privacy statement");
  page.element("small", subject(model) + "; southwell " + kVersion);
  add_promise_and_facts(
      page, statement,
      {"this model",
       "This model promises nothing about the records it was fitted on. It must be handled like "
       "the records themselves."});
  if (section) section(page);
  add_coefficients(page, model);
  add_grounds(page, statement);
  page.end(form == HtmlForm::page);
  return std::move(page).take();
}

}  // namespace southwell::model
