#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "southwell/audit/canaries.hpp"
#include "southwell/audit/mechanisms.hpp"
#include "southwell/audit/transcript.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"

namespace nb = nanobind;

namespace southwell::bindings {
namespace {

using Numbers = std::vector<std::int64_t>;

/// What was found at a level that needs no tap: `levels` are its kinds, `model` is looked at by
/// the level transcript.
class AuditReport {
 public:
  AuditReport(const std::vector<std::string>& levels, const model::LinearModel* model) {
    for (const audit::Level level : audit::kLevels) {
      for (const std::string& asked : levels) {
        if (asked == audit::name_of(level)) findings_.push_back({level, of(level, model)});
      }
    }
  }

  bool flagged() const { return audit::is_flagged(findings_); }
  std::string to_text() const { return audit::to_text(findings_); }
  std::string to_json() const { return audit::to_json(findings_); }
  std::string to_html() const { return audit::to_html(findings_); }

 private:
  static std::vector<audit::Finding> of(audit::Level level, const model::LinearModel* model) {
    switch (level) {
      case audit::Level::transcript:
        return model != nullptr ? audit::audit_transcript(*model) : std::vector<audit::Finding>();
      case audit::Level::mechanisms:
        return audit::audit_mechanisms({});
      case audit::Level::canaries:
        return audit::audit_canaries({});
      case audit::Level::replay:
        break;  // refused in Python: it takes a program of its own
    }
    return {};
  }

  audit::Findings findings_;
};

template <class Mechanism>
std::size_t select(Numbers scores, std::uint64_t sensitivity, std::uint64_t scale) {
  const Mechanism mechanism(sensitivity, scale);
  privacy::SystemRandomBits bits;
  return mechanism.release(Sensitive(std::move(scores)), bits);
}

template <class Mechanism>
Numbers release(Numbers values, std::uint64_t sensitivity, std::uint64_t scale) {
  const Mechanism mechanism(sensitivity, scale);
  privacy::SystemRandomBits bits;
  privacy::Noise noise = mechanism.draw(bits, values.size());
  return mechanism.release(Sensitive(std::move(values)), std::move(noise));
}

template <class F>
void def_mechanism(nb::module_& module, const char* name, F&& f) {
  module.def(name, f, nb::arg("data"), nb::arg("sensitivity"), nb::arg("scale"),
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

void bind_audit(nb::module_& module) {
  nb::class_<AuditReport>(module, "AuditReport")
      .def(nb::init<const std::vector<std::string>&, const model::LinearModel*>(),
           nb::arg("levels"), nb::arg("model").none(), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("flagged", &AuditReport::flagged)
      .def("to_json", &AuditReport::to_json)
      .def("to_html", &AuditReport::to_html)
      .def("__str__", &AuditReport::to_text);
  def_mechanism(module, "exponential_mechanism", select<privacy::ExponentialMechanism>);
  def_mechanism(module, "permute_and_flip", select<privacy::PermuteAndFlip>);
  def_mechanism(module, "noisy_max", select<privacy::NoisyMax>);
  def_mechanism(module, "discrete_laplace", release<privacy::DiscreteLaplaceRelease>);
  def_mechanism(module, "discrete_gaussian", release<privacy::DiscreteGaussianRelease>);
}

}  // namespace southwell::bindings
