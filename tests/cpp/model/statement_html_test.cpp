#include "southwell/model/statement_html.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "fit/golden_model.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/statement_words.hpp"

namespace southwell::model {
using namespace fit;  // makes what is tested here
namespace {

LinearModel golden() { return from_json(kGoldenModel, "golden"); }

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

TEST(StatementHtml, SaysEverythingThePromiseRestsOn) {
  const LinearModel model = golden();
  const std::string page = to_html(model, HtmlForm::page);
  EXPECT_TRUE(has(page, "guarantee: (8, 0.001)-DP"));
  EXPECT_TRUE(has(page, "a factor of at most 2.98e+03 (e to the epsilon)"));
  EXPECT_TRUE(has(page, "to which a probability of 0.001 (delta) may be added."));
  EXPECT_TRUE(has(page, spent_text(model.privacy)));
  for (const PublicInput& input : model.privacy.public_inputs) {
    EXPECT_TRUE(has(page, "<th>" + input.name + "</th>")) << input.name;
    EXPECT_TRUE(has(page, ">" + std::string(name_of(input.source)) + "</span>"));
  }
  for (const MechanismUse& use : model.privacy.mechanisms) {
    EXPECT_TRUE(has(page, use.name));
    EXPECT_TRUE(has(page, cost_text(use.cost)));
  }
  for (const auto& items : {model.privacy.covers, model.privacy.not_covered}) {
    for (const std::string& item : items) EXPECT_TRUE(has(page, "<li>" + item + "</li>")) << item;
  }
}

TEST(StatementHtml, SaysPlainlyWhatItsEpsilonIsWorth) {
  struct Band {
    double epsilon;
    const char* worth;
    const char* right;  // guesses, at delta 0.001, rounded up
  };
  const Band bands[] = {{1.0, "a strong guarantee", "in at most 73.14 of 100 cases"},
                        {3.0, "of medium strength", "in at most 95.27 of 100 cases"},
                        {8.0, "a weak guarantee", "in at most 99.97 of 100 cases"},
                        {8.1, "The guarantee is weak", "in at most 99.97 of 100 cases"},
                        {20.0, "The guarantee is weak", "can be right practically always"}};
  for (const Band& band : bands) {
    LinearModel model = golden();
    model.privacy.epsilon = band.epsilon;
    const std::string page = to_html(model, HtmlForm::page);
    EXPECT_TRUE(has(page, band.worth)) << band.epsilon;
    EXPECT_TRUE(has(page, band.right)) << band.epsilon;
  }
}

TEST(StatementWords, RightGuessesAreThoseOfTheBestTestBetweenNeighbours) {
  // Randomised response tells the truth with the probability e^epsilon / (1 + e^epsilon).
  EXPECT_DOUBLE_EQ(right_guesses(std::log(3.0), 0.0), 0.75);
  EXPECT_DOUBLE_EQ(right_guesses(0.0, 0.0), 0.5);
  // With a delta it shows the record outright in that share of the cases.
  EXPECT_DOUBLE_EQ(right_guesses(std::log(3.0), 0.1), 0.75 * 0.9 + 0.1);
  EXPECT_DOUBLE_EQ(right_guesses(1000.0, 0.5), 1.0);
}

TEST(StatementHtml, LoadsNothingFromElsewhere) {
  const std::string page = to_html(golden(), HtmlForm::page);
  for (const char* outside : {"http", "<script", "<link", "@import", "src=", "url("}) {
    EXPECT_FALSE(has(page, outside)) << outside;
  }
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
}

TEST(StatementHtml, APartIsThePageWithoutItsFrame) {
  const std::string page = to_html(golden(), HtmlForm::page);
  const std::string part = to_html(golden(), HtmlForm::part);
  EXPECT_EQ(part.rfind("<div class=\"southwell\">", 0), 0u);
  EXPECT_TRUE(has(page, part));
}

TEST(StatementHtml, NamesCannotTurnOrHideWhatStandsAroundThem) {
  LinearModel model = golden();
  model.feature_names.assign(model.features,
                             "a\xe2\x80\xae"
                             "b\x1b[2J\xe2\x81\xa6\xd8\x9c\n");
  model.heads[0].coef = {{0, 1.0, 0.5}};
  model.classes = {0, 1, 2};
  model.class_names = {"x\xe2\x80\x8f", "y\xc2\x85", "z"};
  model.heads.resize(3, model.heads[0]);
  model.privacy.public_inputs.push_back({"start", "\xe2\x80\xaelosj.x", Source::user});
  const std::string page = to_html(model, HtmlForm::page);
  for (const char* raw :
       {"\xe2\x80\xae", "\x1b", "\xe2\x81\xa6", "\xd8\x9c", "\xe2\x80\x8f", "\xc2\x85"}) {
    EXPECT_FALSE(has(page, raw)) << raw;
  }
  EXPECT_TRUE(has(page, "a&lt;U+202E&gt;b&lt;U+001B&gt;[2J&lt;U+2066&gt;&lt;U+061C&gt;"));
  EXPECT_TRUE(has(page, "class x&lt;U+200F&gt;"));
  EXPECT_TRUE(has(page, "class y&lt;U+0085&gt;"));
  EXPECT_TRUE(has(page, "&lt;U+202E&gt;losj.x"));
  EXPECT_TRUE(has(to_text(model.privacy), "<U+202E>losj.x"));
}

TEST(StatementHtml, NamesAreTextAndNeverMarkup) {
  LinearModel model = golden();
  model.feature_names.assign(model.features, "<script>alert(\"1\")</script>&");
  model.heads[0].coef = {{0, 1.0, 0.5}};
  model.privacy.public_inputs.push_back({"start", "<img onerror=x>", Source::user});
  const std::string page = to_html(model, HtmlForm::page);
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;"));
}

TEST(StatementHtml, WithoutAGuaranteeItSaysSoInPlainWords) {
  LinearModel model = golden();
  model.privacy.is_private = false;
  model.privacy.guarantee = "none (seeded)";
  model.privacy.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
  const std::string page = to_html(model, HtmlForm::page);
  EXPECT_TRUE(has(page, "promise none"));
  EXPECT_TRUE(has(page, "guarantee: none (seeded)"));
  EXPECT_TRUE(has(page, "promises nothing about the records"));
  EXPECT_FALSE(has(page, "e to the epsilon"));
}

TEST(StatementHtml, OfTheFitAloneSaysSoFirst) {
  LinearModel model = golden();
  EXPECT_FALSE(has(to_html(model, HtmlForm::page), "the fit alone"));
  limit_to_the_fit(model.privacy);
  for (const HtmlForm form : {HtmlForm::page, HtmlForm::part}) {
    const std::string page = to_html(model, form);
    EXPECT_TRUE(has(page, "guarantee: (8, 0.001)-DP for the fit on the matrix it was given;"));
    EXPECT_LT(page.find("speaks of the fit alone"), page.find("What anybody can conclude"));
  }
}

TEST(StatementHtml, ALongModelShowsItsLargestCoefficients) {
  LinearModel model = golden();
  model.features = 1000;
  model.feature_names.clear();
  model.heads[0].coef.clear();
  for (std::size_t j = 0; j < 500; ++j) {
    model.heads[0].coef.push_back({j, j == 321 ? -7.5 : 1.0, 0.25});
  }
  const std::string page = to_html(model, HtmlForm::page);
  EXPECT_TRUE(has(page, ">x322</td>"));
  EXPECT_TRUE(has(page, ">-7.5</td>"));
  EXPECT_TRUE(has(page, "480 more, none of them larger"));
  EXPECT_TRUE(has(page, "500 of 1000 features have the coefficient 0"));
}

TEST(StatementHtml, APlanHasNoCoefficientsToShow) {
  LinearModel model = golden();
  model.heads.clear();
  EXPECT_FALSE(has(to_html(model, HtmlForm::page), "The noise against the coefficients"));
}

}  // namespace
}  // namespace southwell::model
