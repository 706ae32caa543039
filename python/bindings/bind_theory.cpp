#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "fit_inputs.hpp"
#include "lab/constants.hpp"
#include "lab/objective_spec.hpp"
#include "lab/utility_bound.hpp"
#include "southwell/core/error.hpp"

namespace southwell::bindings {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// (coefficients, intercept, objective, objective at zero, gap, certificate, reached)
nb::tuple reference_optimum(const data::Dataset& design, const Numbers& target,
                            const nb::dict& inputs, double gap) {
  model::FitSpec spec = fit_spec(inputs);
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
    return lab::optimum(dataset, spec.objective, gap, pool);
  }();
  return nb::make_tuple(to_array(std::move(found.at.coef)), found.at.intercept, found.objective,
                        found.objective_at_zero, found.gap, found.certificate, found.reached);
}

/// (iterations, noise_scale, step_noise, gap)
nb::tuple utility_bound(const lab::TheoryProblem& problem, const lab::Convexity& convexity,
                        std::optional<std::uint64_t> iterations) {
  const lab::UtilityValue found = lab::utility_bound(problem, convexity, iterations);
  return nb::make_tuple(found.iterations, found.noise_scale, found.step_noise, found.gap);
}

}  // namespace

void bind_theory(nb::module_& module) {
  module.def("reference_optimum", reference_optimum, nb::arg("design"),
             nb::arg("target").noconvert(), nb::arg("inputs"), nb::arg("gap") = 1e-10,
             nb::sig("def reference_optimum(design: Design, target: object, inputs: dict[str, "
                     "object], gap: float = 1e-10) -> tuple[object, float, float, float, float, "
                     "str, bool]"));
  module.def("quasi_sparsity_alpha", lab::quasi_sparsity_alpha, nb::arg("coef"), nb::arg("tau"));
  nb::class_<lab::TheoryProblem>(module, "TheoryProblem")
      .def(
          "__init__",
          [](lab::TheoryProblem* self, double records, double features, double epsilon,
             double delta, double lipschitz_max, double smoothness_min, double smoothness_max,
             double initial_gap, double failure) {
            new (self) lab::TheoryProblem{records,        features,      epsilon,
                                          delta,          lipschitz_max, smoothness_min,
                                          smoothness_max, initial_gap,   failure};
          },
          nb::kw_only(), nb::arg("records"), nb::arg("features"), nb::arg("epsilon"),
          nb::arg("delta"), nb::arg("lipschitz_max"), nb::arg("smoothness_min"),
          nb::arg("smoothness_max"), nb::arg("initial_gap"), nb::arg("failure"));
  nb::class_<lab::Convexity>(module, "Convexity")
      .def_static(
          "convex", [](double radius) { return lab::Convexity{.radius = radius}; },
          nb::arg("radius"))
      .def_static(
          "strongly_convex", [](double mu) { return lab::Convexity{.mu = mu}; }, nb::arg("mu"))
      .def_static(
          "quasi_sparse",
          [](double mu, std::uint64_t tau, double alpha, std::uint64_t sparsity, double joint) {
            return lab::Convexity{
                .quasi_sparse = solvers::QuasiSparse{
                    .mu = mu, .sparsity = sparsity, .tau = tau, .alpha = alpha, .joint = joint}};
          },
          nb::kw_only(), nb::arg("mu"), nb::arg("tau"), nb::arg("alpha"), nb::arg("sparsity"),
          nb::arg("joint"));
  module.def("utility_bound", utility_bound, nb::arg("problem"), nb::arg("convexity"),
             nb::arg("iterations") = nb::none(),
             nb::sig("def utility_bound(problem: TheoryProblem, convexity: Convexity, iterations: "
                     "int | None = None) -> tuple[int, float, float, float]"));
}

}  // namespace southwell::bindings
