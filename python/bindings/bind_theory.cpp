#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "fit_inputs.hpp"
#include "given.hpp"
#include "lab/constants.hpp"
#include "lab/objectives.hpp"
#include "lab/utility_bound.hpp"
#include "southwell/core/error.hpp"

namespace southwell::bindings {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// (coefficients, intercept, objective, objective at zero, gap, certificate, reached)
nb::tuple reference_optimum(const data::Dataset& design, const Numbers& target,
                            const nb::dict& inputs, const nb::object& gap) {
  fit::FitSpec spec = fit_spec(inputs, "reference_optimum",
                               {"loss", "penalty", "alpha", "l1_ratio", "lower", "upper",
                                "huber_width", "intercept", "threads"});
  const double asked = number({"gap", gap});
  if (spec.intercept) {
    spec.objective.intercept =
        *spec.intercept ? problem::Intercept::free : problem::Intercept::none;
  }
  data::Dataset dataset = design;
  dataset.target.assign(target.data(), target.data() + target.size());
  dataset.target_name = data::kDefaultTargetName;
  if (dataset.target.size() != dataset.records()) {
    throw DataError("data: an optimum needs a target, one number per record");
  }
  solvers::Optimum found = [&] {
    const nb::gil_scoped_release released;
    core::ThreadPool pool(spec.threads);
    return lab::optimum(dataset, spec.objective, asked, pool);
  }();
  return nb::make_tuple(to_array(std::move(found.at.coef)), found.at.intercept, found.objective,
                        found.objective_at_zero, found.gap, found.certificate, found.reached);
}

/// What is known of the objective; what goes with what is for the caller to say.
lab::Convexity convexity_of(const Keywords& given, double features) {
  if (const auto radius = given.find_or_none("radius")) return {.radius = number(*radius)};
  const double mu = number(given.required("mu", "a number"));
  const auto tau = given.find_or_none("tau");
  if (!tau) return {.mu = mu};
  const auto alpha = given.find_or_none("alpha");
  const auto sparsity = given.find_or_none("sparsity");
  const auto joint = given.find_or_none("joint");
  // All there are: before step t no more than t are in use, and that is what is taken.
  const auto all =
      static_cast<std::uint64_t>(features >= 1.0 && features < 0x1p53 ? features : 1.0);
  return {.quasi_sparse = solvers::QuasiSparse{.mu = mu,
                                               .sparsity = sparsity ? whole(*sparsity) : all,
                                               .tau = whole(*tau),
                                               .alpha = alpha ? number(*alpha) : 0.0,
                                               .joint = joint ? number(*joint) : 0.0}};
}

/// (iterations, noise_scale, step_noise, gap)
nb::tuple utility_bound(const nb::dict& inputs) {
  const Keywords given("utility_bound", inputs,
                       {"records", "features", "epsilon", "delta", "lipschitz_max",
                        "smoothness_min", "smoothness_max", "initial_gap", "failure", "radius",
                        "mu", "tau", "alpha", "sparsity", "joint", "iterations"});
  const auto needed = [&](const char* name) { return number(given.required(name, "a number")); };
  const lab::TheoryProblem problem{.records = needed("records"),
                                   .features = needed("features"),
                                   .epsilon = needed("epsilon"),
                                   .delta = needed("delta"),
                                   .lipschitz_max = needed("lipschitz_max"),
                                   .smoothness_min = needed("smoothness_min"),
                                   .smoothness_max = needed("smoothness_max"),
                                   .initial_gap = needed("initial_gap"),
                                   .failure = needed("failure")};
  const lab::Convexity convexity = convexity_of(given, problem.features);
  std::optional<std::uint64_t> iterations;
  if (const auto asked = given.find_or_none("iterations")) iterations = whole(*asked);
  const lab::UtilityValue found = lab::utility_bound(problem, convexity, iterations);
  return nb::make_tuple(found.iterations, found.noise_scale, found.step_noise, found.gap);
}

double quasi_sparsity_alpha(const std::vector<double>& coef, const nb::object& tau) {
  return lab::quasi_sparsity_alpha(coef, static_cast<std::size_t>(whole({"tau", tau})));
}

}  // namespace

void bind_theory(nb::module_& module) {
  module.def("reference_optimum", reference_optimum, nb::arg("design"),
             nb::arg("target").noconvert(), nb::arg("inputs"), nb::arg("gap").none(),
             nb::sig("def reference_optimum(design: Design, target: object, inputs: dict[str, "
                     "object], gap: object) -> tuple[object, float, float, float, float, "
                     "str, bool]"));
  module.def("quasi_sparsity_alpha", quasi_sparsity_alpha, nb::arg("coef"), nb::arg("tau").none(),
             nb::sig("def quasi_sparsity_alpha(coef: list[float], tau: object) -> float"));
  module.def("utility_bound", utility_bound, nb::arg("inputs"),
             nb::sig("def utility_bound(inputs: dict[str, object]) -> tuple[int, float, float, "
                     "float]"));
}

}  // namespace southwell::bindings
