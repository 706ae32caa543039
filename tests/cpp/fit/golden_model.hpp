#pragma once

namespace southwell::fit {

/// A model file as version 0.1.0 wrote it. It must load for ever: never change it.
inline constexpr const char* kGoldenModel = R"json(
{
 "alpha": 0.1,
 "checksum": "939ed58b11a0780e5392b596ba7d3894f196dab5de1ee721cca362bae687a434",
 "classes": [-1.0, 1.0],
 "coef": [
  [
   {"index": 1, "noise_sd": 2.536534904767232, "value": -0.785183681246874},
   {"index": 2, "noise_sd": 2.536534904767232, "value": -3.6198985237675205}
  ]
 ],
 "feature_names": [
  "a",
  "b \"c\"",
  "d"
 ],
 "features": 3,
 "format": "southwell.linear_model",
 "has_intercept": true,
 "intercept": [0.0],
 "intercept_noise_sd": [0.0],
 "l1_ratio": 0.5,
 "loss": "logistic",
 "path": [
  {"gradient": 0.31292624083486853, "head": 0, "index": 2, "value": -0.876420802782895},
  {"gradient": 0.8730433162953877, "head": 0, "index": 2, "value": -3.6198985237675205},
  {"gradient": 0.2855551043740622, "head": 0, "index": 1, "value": -0.785183681246874}
 ],
 "penalty": "elastic_net",
 "privacy": {
  "accountant": "rdp",
  "covers": [
   "every iterate and the model: all choices and released gradients of the path, and whatever is computed from them"
  ],
  "delta": 0.001,
  "epsilon": 8.0,
  "epsilon_spent": 7.99999967365493,
  "guarantee": "(8, 0.001)-DP",
  "iterations": 3,
  "ledger": "none",
  "mechanisms": [
   {"count": 3, "kind": "bounded_range", "mechanism": "exponential_mechanism", "scale": 1716861, "shift": 4194304, "step": "select"},
   {"count": 3, "kind": "discrete_laplace", "mechanism": "discrete_laplace_release", "scale": 3433722, "shift": 2097152, "step": "release"}
  ],
  "mode": "certified",
  "not_covered": [
   "errors of the file reader, running out of memory, the form of the data (types, shapes)",
   "the time a fit takes"
  ],
  "private": true,
  "public_inputs": {
   "alpha": {"source": "user", "value": 0.1},
   "classes": {"source": "default", "value": [-1.0, 1.0]},
   "clip": {"source": "default", "value": 0.6},
   "delta": {"source": "user", "value": 0.001},
   "epsilon": {"source": "user", "value": 8.0},
   "feature_scale": {"source": "default", "value": 1.0},
   "features": {"source": "data", "value": 3.0},
   "intercept": {"source": "default", "value": true},
   "iterations": {"source": "user", "value": 3.0},
   "l1_ratio": {"source": "user", "value": 0.5},
   "loss": {"source": "user", "value": "logistic"},
   "mode": {"source": "default", "value": "certified"},
   "penalty": {"source": "user", "value": "elastic_net"},
   "records": {"source": "data", "value": 4.0},
   "relation": {"source": "default", "value": "replace_one"},
   "release": {"source": "default", "value": "laplace"},
   "rule": {"source": "default", "value": "gs_s"},
   "selection": {"source": "default", "value": "exponential"},
   "share": {"source": "default", "value": 0.8},
   "solver": {"source": "default", "value": "gcd"},
   "step": {"source": "default", "value": 1.0}
  },
  "randomness": "operating system entropy, ChaCha20",
  "records": 4.0,
  "relation": "replace_one",
  "rule": "gs_s",
  "solver": "gcd",
  "unit": "one record"
 },
 "private": true,
 "southwell_version": "0.1.0",
 "version": 1
}
)json";

}  // namespace southwell::fit
