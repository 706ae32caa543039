#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/statement.hpp"

namespace southwell::model {

inline constexpr std::string_view kPageStyle = R"(
.southwell{font:15px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff;max-width:920px;margin:0 auto;padding:24px;overflow-x:auto}
.southwell h1{font-size:22px;margin:0 0 4px}.southwell h2{font-size:17px;margin:28px 0 6px}
.southwell .promise{border-left:6px solid #2e7d4f;background:#edf6f0;padding:14px 18px;margin:14px 0}
.southwell .promise.none{border-color:#b3261e;background:#fcefee}
.southwell .promise b{display:block;font-size:19px}
.southwell table{border-collapse:collapse;width:100%;color:inherit}
.southwell th,.southwell td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid #e3e7ec;background:none}
.southwell th{font-weight:600;white-space:nowrap}.southwell td.n,.southwell th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.southwell td.name{max-width:220px;overflow-wrap:anywhere}.southwell p,.southwell li{max-width:72ch}
.southwell .chart{width:46%}.southwell .units .chart{width:20%}.southwell .units td.name{min-width:220px}.southwell svg{display:block;width:100%;height:20px}
.southwell .source{display:inline-block;border-radius:9px;padding:0 9px;font-size:13px;background:#e8ecf1}
.southwell .source.data{background:#fbe9c6}.southwell .source.user{background:#d9e8fb}.southwell .source.mechanism{background:#d8efe0}
.southwell .figures svg{height:auto;max-width:420px}
.southwell .figures{display:flex;flex-wrap:wrap;gap:24px;margin:28px 0 0}.southwell .figures figure{margin:0;flex:1 1 340px;max-width:420px}.southwell figcaption{font-size:14px}
.southwell small{color:#5a6573}.southwell .promise strong{display:block;margin-top:8px}
@media (max-width:640px){.southwell{padding:12px}.southwell th{white-space:normal}.southwell .chart{display:none}.southwell td{overflow-wrap:anywhere}}
@media print{.southwell{max-width:none;padding:0}.southwell h2{break-after:avoid}.southwell tr,.southwell figure,.southwell .promise{break-inside:avoid}.southwell *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

/// HTML that is written from front to back. Text is escaped, markup is not.
class Page {
 public:
  Page& markup(std::string_view html) {
    out_ += html;
    return *this;
  }
  Page& text(std::string_view words) {
    for (const char c : core::printable(words)) {
      switch (c) {
        case '&':
          out_ += "&amp;";
          break;
        case '<':
          out_ += "&lt;";
          break;
        case '>':
          out_ += "&gt;";
          break;
        case '"':
          out_ += "&quot;";
          break;
        default:
          out_ += c;
      }
    }
    return *this;
  }
  /// <tag>words</tag>, where the tag may have attributes.
  Page& element(std::string_view tag, std::string_view words) {
    markup("<").markup(tag).markup(">").text(words);
    return markup("</").markup(tag.substr(0, tag.find(' '))).markup(">");
  }
  Page& row(std::string_view name, std::string_view words) {
    markup("<tr>").element("th", name).element("td", words);
    return markup("</tr>\n");
  }
  Page& list(const std::vector<std::string>& items) {
    markup("<ul>");
    for (const std::string& item : items) element("li", item);
    return markup("</ul>\n");
  }
  /// What stands before all of it: of a whole page with its head, of a part the style alone.
  void begin(bool is_page, const std::string& title) {
    if (is_page) {
      markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
          .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
          .element("title", title)
          .markup("\n</head>\n<body style=\"margin:0;background:#fff\"><main>\n");
    }
    markup("<div class=\"southwell\"><style>").markup(kPageStyle).markup("</style>\n");
  }
  void end(bool is_page) {
    markup("</div>\n");
    if (is_page) markup("</main></body>\n</html>\n");
  }
  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

/// A place in a drawing.
inline std::string place(double value) {
  return core::number_text(std::round(value * 10.0) / 10.0);
}

/// What a statement speaks of, in the middle of a sentence, and what to say where it promises
/// nothing.
struct StatementSubject {
  std::string name;
  std::string without_promise;
};

// The parts of a statement's page, for pages that show more than a statement.
void add_promise_and_facts(Page& page, const Statement& statement, const StatementSubject& subject);
/// What it rests on: public inputs, mechanisms, what is covered and what is not.
void add_grounds(Page& page, const Statement& statement);

}  // namespace southwell::model
