#include "southwell/model/save_json.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_mechanism.hpp"
#include "southwell/model/json_packed.hpp"
#include "southwell/model/json_text.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

/// Long lists of numbers: packed in files, as they are where people read them.
enum class Lists { packed, plain };

json json_of(const PublicInput::Value& value, Lists lists) {
  return std::visit(
      [lists](const auto& v) -> json {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, double>) {
          if (std::isfinite(v)) return v;
          return std::isnan(v) ? "nan" : v > 0.0 ? "inf" : "-inf";  // an input is kept as a word
        } else if constexpr (std::is_same_v<V, std::vector<double>>) {
          if (lists == Lists::packed && v.size() > kReadable) return packed(v);
          json::array_t list;
          list.reserve(v.size());
          for (const double x : v) list.push_back(or_null(x));
          return list;
        } else {
          return v;
        }
      },
      value);
}

json json_of(const std::vector<RecordsPart>& parts) {
  json list = json::array();
  for (const RecordsPart& part : parts) {
    list.push_back({{"name", part.name}, {"records", part.records}});
  }
  return list;
}

json json_of(const privacy::RunLaw& law) {
  if (law.is_poisson()) return {{"law", kPoisson}, {"mean", law.mean()}};
  return {{"law", kNegativeBinomial}, {"half_shape", law.half_shape()}, {"left", law.left()}};
}

json json_of(const Statement& statement, Lists lists) {
  json mechanisms = json::array();
  for (const MechanismUse& use : statement.mechanisms) {
    mechanisms.push_back(json_of(use));
  }
  json inputs = json::object();
  for (const PublicInput& input : statement.public_inputs) {
    inputs[input.name] = {{"value", json_of(input.value, lists)},
                          {"source", name_of(input.source)}};
  }
  json out{{"guarantee", statement.guarantee},
           {"private", statement.is_private},
           {"epsilon", or_null(statement.epsilon)},
           {"delta", or_null(statement.delta)},
           {"epsilon_spent", or_null(statement.epsilon_spent)},
           {"accountant", statement.accountant},
           {"relation", statement.relation},
           {"unit", statement.unit},
           {"records", or_null(statement.records)},
           {"mode", statement.mode},
           {"solver", statement.solver},
           {"rule", statement.rule},
           {"iterations", statement.iterations},
           {"mechanisms", std::move(mechanisms)},
           {"public_inputs", std::move(inputs)},
           {"randomness", statement.randomness},
           {"ledger", statement.ledger},
           {"covers", statement.covers},
           {"not_covered", statement.not_covered}};
  if (!statement.found_amiss.empty()) out["found_amiss"] = statement.found_amiss;
  if (!statement.parts.empty()) out["parts"] = json_of(statement.parts);
  if (statement.runs) out["runs"] = json_of(*statement.runs);
  return out;
}

void put_objective(json& out, const problem::ObjectiveSpec& objective) {
  const auto put = [&out](const char* key, const std::optional<double>& value) {
    if (value) out[key] = or_null(*value);  // an end of a box may be infinite
  };
  out["loss"] = objective.loss;
  out["penalty"] = objective.penalty;
  put("alpha", objective.alpha);
  put("l1_ratio", objective.l1_ratio);
  put("lower", objective.lower);
  put("upper", objective.upper);
  put("huber_width", objective.huber_width);
  out["has_intercept"] = objective.intercept == problem::Intercept::free;
}

/// All but the long lists, which have null in their places.
json outline(const LinearModel& model) {
  json out{{"format", kFormat},
           {"version", kFormatVersion},
           {"southwell_version", kVersion},
           {"private", model.privacy.is_private},
           {"features", model.features},
           {"feature_names", nullptr},
           {"classes", model.classes},
           {"coef", nullptr},
           {"intercept", json::array()},
           {"intercept_noise_sd", json::array()},
           {"privacy", json_of(model.privacy, Lists::packed)}};
  if (!model.path.empty()) out["path"] = nullptr;
  for (const AttachmentPlace& place : kAttachmentPlaces) {
    const std::string& text = model.attachments.*place.text;
    if (!text.empty()) out[place.name] = core::parsed(text, place.name, "JSON");
  }
  // Absent where the numbers say it all.
  if (!model.class_names.empty()) out["class_names"] = model.class_names;
  if (model.multiclass == problem::Multiclass::softmax) out["multiclass"] = problem::kSoftmax;
  put_objective(out, model.objective);
  for (const Head& head : model.heads) {
    out["intercept"].push_back(head.intercept);
    out["intercept_noise_sd"].push_back(head.intercept_noise_sd);
  }
  return out;
}

/// Where there is a schema it makes the features, and names them.
void add_names(JsonText& out, const LinearModel& model) {
  const bool named_elsewhere = !model.attachments.schema.empty();
  out.add_list(named_elsewhere ? 0 : model.feature_names.size(),
               [&](std::size_t j) { out.add(core::dumped(model.feature_names[j], -1)); });
}

void add_coef(JsonText& out, const LinearModel& model) {
  const bool packs = is_packed(model.heads);
  out.add_list(model.heads.size(), [&](std::size_t h) {
    if (packs) return add_packed(out, model.heads[h], model.features);
    const std::vector<Coefficient>& coef = model.heads[h].coef;
    out.add_list(coef.size(), [&](std::size_t k) {
      out.add("{\"index\":" + std::to_string(coef[k].index) + ",\"noise_sd\":");
      out.add_number(coef[k].noise_sd);
      out.add(",\"value\":");
      out.add_number(coef[k].value);
      out.add("}");
    });
  });
}

void add_path(JsonText& out, const LinearModel& model) {
  if (model.path.size() > kReadable) return add_packed(out, model.path, model.heads.size());
  out.add_list(model.path.size(), [&](std::size_t t) {
    const ModelStep& step = model.path[t];
    out.add("{\"gradient\":");
    out.add_number(step.gradient);
    out.add(",\"head\":" + std::to_string(step.head) + ",\"index\":" + std::to_string(step.index) +
            ",\"value\":");
    out.add_number(step.value);
    out.add("}");
  });
}

/// What stands before the first key, between two members, between key and value, and at the end.
struct Layout {
  std::string_view open, comma, colon, close;
};
constexpr Layout kCanonical{"{", ",", ":", "}"};
/// A line per key: whoever looks into the file finds the parts.
constexpr Layout kFile{"{\n", ",\n", ": ", "\n}\n"};

/// Returns the length of the text.
std::size_t add_members(JsonText&& out, const Layout& layout, const json& outline,
                        const LinearModel& model) {
  std::string_view before = layout.open;
  for (const auto& [key, value] : outline.items()) {
    out.add(before);
    before = layout.comma;
    out.add(core::dumped(key, -1));
    out.add(layout.colon);
    if (key == "coef") {
      add_coef(out, model);
    } else if (key == "feature_names") {
      add_names(out, model);
    } else if (key == "path") {
      add_path(out, model);
    } else {
      out.add_value(value);
    }
  }
  out.add(layout.close);
  return out.finish();
}

/// Hands the model file to the sink that `sink_for` gives for about so many bytes.
void write_text(const LinearModel& model, const std::string& name,
                const std::function<TextSink(std::size_t)>& sink_for) {
  check(model, name);
  json content = outline(model);
  std::size_t length = 0;
  std::string sum = sha256([&](const TextSink& sink) {
    length = add_members(JsonText(Digits::canonical, sink), kCanonical, content, model);
  });
  content["checksum"] = std::move(sum);
  const TextSink sink = sink_for(length);
  std::size_t written = 0;
  const auto limited = [&](std::string_view text) {
    written += text.size();
    if (written > kLargestFile) {
      throw DataError(name + ": a model that is longer than " + std::to_string(kLargestFile >> 20) +
                      " MiB as text; accepted is at most that, which is what can be read");
    }
    sink(text);
  };
  add_members(JsonText(Digits::file, limited), kFile, content, model);
}

}  // namespace

std::string to_json(const Statement& statement) {
  return core::dumped(json_of(statement, Lists::plain), 1) + "\n";
}

std::string to_json(const LinearModel& model) {
  std::string out;
  write_text(model, "model", [&](std::size_t length) -> TextSink {
    out.reserve(length + length / 64 + 4096);  // the two forms differ in few digits
    return [&](std::string_view text) { out += text; };
  });
  return out;
}

void write(const LinearModel& model, data::FileWriter& writer) {
  write_text(model, "model", [&](std::size_t) -> TextSink {
    return [&](std::string_view text) { writer.write(text); };
  });
}

std::size_t text_length(const LinearModel& model) {
  json content = outline(model);
  content["checksum"] = std::string(kChecksumDigits, '0');
  return add_members(JsonText(Digits::file, [](std::string_view) {}), kFile, content, model);
}

void save(const LinearModel& model, const std::filesystem::path& file) {
  data::FileWriter writer(file);
  write_text(model, file.string(), [&](std::size_t) -> TextSink {
    return [&](std::string_view text) { writer.write(text); };
  });
  writer.commit();
}

}  // namespace southwell::model
