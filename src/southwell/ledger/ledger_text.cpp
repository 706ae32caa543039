#include "southwell/ledger/ledger_text.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/model/json_mechanism.hpp"
#include "southwell/model/json_text.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::ledger {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 6;
constexpr std::size_t kLongestLine = std::size_t{1} << 22;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kAccepted = "a line as southwell writes it";
constexpr std::string_view kHashKey = ",\"hash\":\"";

std::string hash_of(std::string_view text) {
  return model::sha256([&](const model::TextSink& sink) { sink(text); });
}

/// A line in the making: its keys stay in the order in which a person reads them.
class LineText {
 public:
  explicit LineText(std::uint64_t sequence) { add("sequence", sequence); }

  void add(const char* key, const json& value) {
    text_ += (text_.empty() ? "{\"" : ",\"") + std::string(key) + "\":" + core::dumped(value, -1);
  }
  Line finished(const std::string& previous) && {
    add("previous", previous);
    const std::string hash = hash_of(text_);
    return {std::move(text_) + std::string(kHashKey) + hash + "\"}\n", hash};
  }

 private:
  std::string text_;
};

json list_of(const std::vector<model::MechanismUse>& mechanisms) {
  json list = json::array();
  for (const model::MechanismUse& use : mechanisms) list.push_back(model::json_of(use));
  return list;
}

json bound_or_null(double cost) { return std::isfinite(cost) ? json(cost) : json(nullptr); }

void add_spend(LineText& line, const privacy::Spend& spend) {
  line.add("pure_epsilon", bound_or_null(spend.pure));
  line.add("renyi", bound_or_null(spend.renyi));
  line.add("added_delta", spend.added_delta);
}

std::vector<model::MechanismUse> mechanisms_in(const core::JsonPart& part) {
  std::vector<model::MechanismUse> mechanisms;
  privacy::Composition all;
  part.for_each([&](const core::JsonPart& entry) {
    mechanisms.push_back(model::mechanism_in(entry));
    const model::MechanismUse& use = mechanisms.back();
    if (!use.run.empty()) entry.refuse("one of a secret number of runs", "what is done once");
    try {
      all.add(use.cost, use.count);
    } catch (const InvalidArgument& error) {
      entry.refuse(error.what(), "a mechanism");
    }
  });
  if (all.events().empty()) part.refuse("no mechanism", "at least one");
  return mechanisms;
}

Charged look_in(const core::JsonPart& part, const char* name_key) {
  return {.name = part.at(name_key).text(),
          .epsilon = part.at("epsilon").number(),
          .delta = part.at("delta").number(),
          .mechanisms = mechanisms_in(part.at("mechanisms"))};
}

Terms terms_in(const core::JsonPart& part) {
  if (part.at("format").text() != kFormat) {
    part.at("format").refuse("another format", std::string("'") + kFormat + "'");
  }
  if (const std::uint64_t version = part.at("version").whole(); version != kFormatVersion) {
    part.at("version").refuse(
        "version " + std::to_string(version) + ", made by another version of southwell",
        "version " + std::to_string(kFormatVersion));
  }
  const auto itself = [](std::string_view relation) { return relation; };
  Terms terms{.id = part.at("ledger").text(),
              .relation = std::string(part.at("relation").choice(privacy::kRelationNames, itself)),
              .unit = part.at("unit").text(),
              .filter = {.budget = {part.at("epsilon").number(), part.at("delta").number()},
                         .order = part.at("order").number(),
                         .added_delta = part.at("added_delta").number()}};
  try {
    terms.filter.check();
  } catch (const InvalidArgument& error) {
    part.refuse(error.what(), "the terms of a ledger");
  }
  return terms;
}

Entry entry_in(const core::JsonPart& part, bool is_plan) {
  constexpr std::array kAdmissions{Admission::filter, Admission::whole, Admission::plan};
  Entry entry;
  entry.is_plan = is_plan;
  entry.admission =
      part.at("admitted_by").choice(kAdmissions, [](Admission a) { return name_of(a); });
  entry.relation = part.at("relation").text();
  entry.unit = part.at("unit").text();
  entry.nonce = part.at("nonce").text();
  if (is_plan) {
    part.at("members").for_each(
        [&](const core::JsonPart& member) { entry.looks.push_back(look_in(member, "name")); });
  } else {
    entry.looks.push_back(look_in(part, "what"));
  }
  if (entry.admission == Admission::plan) {
    entry.plan = part.at("plan").whole();
    entry.member = part.at("member").whole();
    return entry;
  }
  entry.spend = {.pure = part.at("pure_epsilon").number_or(kInfinity),
                 .renyi = part.at("renyi").number_or(kInfinity),
                 .added_delta = part.at("added_delta").number()};
  try {
    entry.spend.check();
  } catch (const InvalidArgument& error) {
    part.refuse(error.what(), "a spend");
  }
  return entry;
}

}  // namespace

std::string_view name_of(Admission admission) {
  switch (admission) {
    case Admission::filter:
      return "filter";
    case Admission::whole:
      return "whole";
    case Admission::plan:
      return "plan";
  }
  return "";
}

std::string no_hash() { return std::string(kHashDigits, '0'); }

Line terms_line(const Terms& terms) {
  LineText line(0);
  line.add("kind", "terms");
  line.add("format", kFormat);
  line.add("version", kFormatVersion);
  line.add("ledger", terms.id);
  line.add("epsilon", terms.filter.budget.epsilon);
  line.add("delta", terms.filter.budget.delta);
  line.add("relation", terms.relation);
  line.add("unit", terms.unit);
  line.add("order", terms.filter.order);
  line.add("added_delta", terms.filter.added_delta);
  return std::move(line).finished(no_hash());
}

Line entry_line(const Entry& entry, const std::string& previous) {
  LineText line(entry.sequence);
  line.add("kind", entry.is_plan ? "plan" : "reservation");
  if (!entry.is_plan) {
    const Charged& look = entry.looks.at(0);
    line.add("what", look.name);
    line.add("epsilon", look.epsilon);
    line.add("delta", look.delta);
  }
  line.add("relation", entry.relation);
  line.add("unit", entry.unit);
  line.add("admitted_by", name_of(entry.admission));
  if (entry.admission == Admission::plan) {
    line.add("plan", entry.plan);
    line.add("member", entry.member);
  } else {
    add_spend(line, entry.spend);
  }
  if (entry.is_plan) {
    json members = json::array();
    for (const Charged& look : entry.looks) {
      members.push_back({{"name", look.name},
                         {"epsilon", look.epsilon},
                         {"delta", look.delta},
                         {"mechanisms", list_of(look.mechanisms)}});
    }
    line.add("members", members);
  } else {
    line.add("mechanisms", list_of(entry.looks.at(0).mechanisms));
  }
  line.add("nonce", entry.nonce);
  return std::move(line).finished(previous);
}

Line commit_line(std::uint64_t sequence, std::uint64_t of, const std::string& previous) {
  LineText line(sequence);
  line.add("kind", "commit");
  line.add("of", of);
  return std::move(line).finished(previous);
}

Parsed parsed_line(const std::string& text, const std::string& name) {
  const auto refuse = [&](const std::string& found) {
    throw DataError(name + ": " + found + "; accepted is " + kAccepted);
  };
  if (text.size() > kLongestLine) refuse("a line that is too long");
  // {...,"hash":"<64 digits>"}
  constexpr std::size_t kEnd = kHashKey.size() + kHashDigits + 2;
  const std::size_t body = text.size() < kEnd ? 0 : text.size() - kEnd;
  if (body == 0 || std::string_view(text).substr(body, kHashKey.size()) != kHashKey ||
      !text.ends_with("\"}")) {
    refuse("a line without its hash at the end");
  }
  Parsed out;
  out.hash = text.substr(body + kHashKey.size(), kHashDigits);
  if (!fault(Fault::ledger_chain_is_not_checked) &&
      out.hash != hash_of(std::string_view(text).substr(0, body))) {
    refuse("the hash does not fit the line: it was changed or damaged");
  }
  const json content = core::parsed(text, name, kAccepted, kDeepest);
  const core::JsonPart part(content, name);
  out.sequence = part.at("sequence").whole();
  out.previous = part.at("previous").text();
  const std::string& kind = part.at("kind").text();
  if (kind == "terms") {
    out.kind = Parsed::Kind::terms;
    out.terms = terms_in(part);
  } else if (kind == "commit") {
    out.kind = Parsed::Kind::commit;
    out.commit_of = part.at("of").whole();
  } else if (kind == "reservation" || kind == "plan") {
    out.kind = Parsed::Kind::entry;
    out.entry = entry_in(part, kind == "plan");
    out.entry.sequence = out.sequence;
    out.entry.hash = out.hash;
  } else {
    part.at("kind").refuse("another kind of line", "terms, reservation, plan or commit");
  }
  return out;
}

}  // namespace southwell::ledger
