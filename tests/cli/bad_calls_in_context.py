"""Calls that cannot be right by what stands beside an option, or on the disk."""

from collections.abc import Iterator

from tests.cli.bad_calls import DATA, Row, call, printable

BUDGET = {"epsilon": "1", "delta": "1e-6"}
CLASSES = {"loss": "logistic", "classes": "0,1"}

# What stands beside an option makes it wrong: the changed options, what is named, what is shown.
BESIDE: list[tuple[str, dict[str, str | None], str, str | None]] = [
    ("fit", {"epsilon": "0"}, "epsilon", "0"),
    ("fit", {"epsilon": "-1"}, "epsilon", "-1"),
    ("fit", {"epsilon": "nan"}, "epsilon", "nan"),
    ("fit", {"epsilon": "inf"}, "epsilon", "inf"),
    ("fit", {"delta": "1"}, "delta", "1"),
    ("fit", {"delta": "-1e-9"}, "delta", "-1e-09"),
    ("fit", {"delta": "nan"}, "delta", "nan"),
    ("fit", {"records": "10"}, "records", "10"),
    ("fit", {"records": "0", "relation": "add_or_remove_one"}, "records", "0"),
    ("fit", {"relation": "add_or_remove_one"}, "records", "nothing"),
    ("fit", {"iterations": "0"}, "iterations", "0"),
    ("fit", {"iterations": "10000001"}, "iterations", "10000001"),
    ("fit", {"clip": "0"}, "clip", "0"),
    ("fit", {"clip": "1e101"}, "clip", "1e+101"),
    ("fit", {"step": "-1"}, "step", "-1"),
    ("fit", {"share": "0"}, "share", "0"),
    ("fit", {"share": "1"}, "share", "1"),
    ("fit", {"target_scale": "0"}, "target_scale", "0"),
    ("fit", {"target_scale": "1", **CLASSES}, "target_scale", "1"),
    ("fit", {"target_scale": "private", **CLASSES}, "target_scale", "private"),
    ("fit", {"target_scale": "private", "clip": "1"}, "target_scale", "private"),
    ("fit", {"target_scale": "private", "mode": "paper"}, "target_scale", "private"),
    ("fit", {"record_norm": "1", "solver": "gcd"}, "record_norm", "1"),
    (
        "fit",
        {"record_norm": "0", "solver": "sgd", "loss": "logistic", **CLASSES},
        "record_norm",
        "0",
    ),
    ("fit", {"record_norm": "1", "solver": "cd", "loss": "squared"}, "record_norm", "1"),
    ("fit", {"target_center": "3", **CLASSES}, "target_center", "3"),
    ("fit", {"target_center": "1e101"}, "target_center", "1e+101"),
    ("fit", {"feature_scale": "0"}, "feature_scale", "0"),
    ("fit", {"feature_scale": "from_data"}, "feature_scale", "from_data"),
    ("fit", {"classes": "1,2"}, "classes", None),
    ("fit", {"loss": "logistic"}, "classes", "nothing"),
    ("fit", {"classes": "1,1", "loss": "logistic"}, "classes", "2 classes"),
    ("fit", {"classes": "1", "loss": "logistic"}, "classes", "1 class"),
    ("fit", {"class-weight": "1,2"}, "class_weight", None),
    ("fit", {"class-weight": "1,2,3", **CLASSES}, "class_weight", "3 numbers"),
    ("fit", {"class-weight": "1,-2", **CLASSES}, "class_weight", "-2"),
    ("fit", {"class-weight": "balanced", **CLASSES}, "--class-weight", "'balanced'"),
    ("fit", {"class-weight": "1,2", **CLASSES, "mode": "paper"}, "class_weight", None),
    ("fit", {"unit": "a", "mode": "paper"}, "units", None),
    ("fit", {"alpha": "1"}, "alpha", "1"),
    ("fit", {"penalty": "l1", "clip": "1"}, "alpha", "nothing"),
    ("fit", {"penalty": "l1", "alpha": "-1"}, "alpha", "-1"),
    ("fit", {"penalty": "l1", "alpha": "1", "l1_ratio": ".5"}, "l1_ratio", "0.5"),
    ("fit", {"penalty": "elastic_net", "alpha": "1", "l1_ratio": "2"}, "l1_ratio", "2"),
    ("fit", {"lower": "1"}, "lower", "1"),
    ("fit", {"penalty": "box"}, "lower", None),
    ("fit", {"penalty": "box", "lower": "1", "upper": "1"}, "lower", "twice"),
    ("fit", {"huber_width": "1"}, "huber_width", "1"),
    ("fit", {"loss": "huber"}, "huber_width", None),
    ("fit", {"rule": "gs_s", "solver": "cd"}, "rule", "gs_s"),
    ("fit", {"rule": "gs_s", "solver": "sgd"}, "rule", "gs_s"),
    ("fit", {"selection": "noisy_max", "solver": "cd"}, "selection", "noisy_max"),
    ("fit", {"selection": "noisy_max", "mode": "paper"}, "selection", "noisy_max"),
    ("fit", {"share": ".5", "solver": "sgd"}, "share", "0.5"),
    ("fit", {"release": "laplace", "solver": "sgd"}, "release", "laplace"),
    ("fit", {"release": "laplace", "solver": "cd", "mode": "paper"}, "release", "laplace"),
    ("fit", {"batch_size": "5", "solver": "gcd"}, "batch_size", "5"),
    ("fit", {"batch_size": "5", "solver": "cd"}, "batch_size", "5"),
    ("fit", {"batch_size": "5", "solver": "sgd", "mode": "paper"}, "batch_size", "5"),
    ("fit", {"sampling": "poisson", "solver": "gcd"}, "sampling", "poisson"),
    ("fit", {"iterate": "last", "solver": "gcd"}, "iterate", "last"),
    ("fit", {"polish": "on", "solver": "sgd"}, "polish", "on"),
    ("fit", {"polish": "off", "solver": "cd"}, "polish", "off"),
    ("fit", {"prune": "on", "refine": "off"}, "prune", "on"),
    ("fit", {"attenuation": "on", "clip": "1"}, "attenuation", "on"),
    ("fit", {"refine": "on", "solver": "cd"}, "refine", "on"),
    ("fit", {"refine": "on", "delta": "0"}, "refine", "on"),
    ("fit", {"refine": "on", "mode": "paper"}, "refine", "on"),
    ("fit", {"clip_tracking": "on", "loss": "huber", "huber_width": "1"}, "clip_tracking", "on"),
    ("fit", {"margin_correction": "on"}, "margin_correction", "on"),
    ("fit", {"relation": "add_or_remove_one", "records": "9", "mode": "paper"}, "relation", None),
    ("fit", {"target": "z"}, "target", "'z'"),
    ("fit", {"target": "-1"}, "target", "'-1'"),
    ("fit", {"target": "\u202ez"}, "target", "'<U+202E>z'"),
    ("plan", {"epsilon": "0"}, "epsilon", "0"),
    ("plan", {"delta": "2"}, "delta", "2"),
    ("plan", {"features": "0"}, "--features", "'0'"),
    ("plan", {"rule": "gs_s", "solver": "sgd"}, "rule", "gs_s"),
    ("calibrate", {"epsilon": "0"}, "--epsilon", "'0'"),
    ("calibrate", {"epsilon": "inf"}, "--epsilon", "'inf'"),
    ("calibrate", {"delta": "1.5"}, "--delta", "'1.5'"),
    ("calibrate", {"delta": "-1"}, "--delta", "'-1'"),
    ("calibrate", {"share": "2"}, "share", "2"),
    ("calibrate", {"iterations": "0"}, "--iterations", "'0'"),
    ("account", {"selection_epsilon": "0"}, "--selection-epsilon", "'0'"),
    ("account", {"release_epsilon": "-1"}, "--release-epsilon", "'-1'"),
    ("account", {"delta": "nan"}, "--delta", "'nan'"),
    ("generate", {"records": "0"}, "--records", "'0'"),
    ("lab optimum", {"gap": "0"}, "--gap", "'0'"),
    ("lab greedy", {"step": "0"}, "--step", "'0'"),
    ("lab greedy", {"iterations": "0"}, "--iterations", "'0'"),
    ("lab compare", {"alpha": "1"}, "--alpha", None),
    ("lab compare", {"huber_width": "1"}, "--huber-width", None),
    ("lab compare", {"missing": "?"}, "--missing", None),
    ("lab compare", {"rule": "gs_s", "solver": "cd"}, "--rule", None),
    ("lab compare", {"share": ".5", "mode": "paper"}, "--share", None),
    ("lab paper", {"share": ".5", "mode": "paper"}, "--share", None),
    ("lab theory", {"features": "5"}, "--features", "'5'"),
    # What a schema says already, said otherwise; and schemas for what is none.
    ("fit", {"schema": "s.json", "target": "a"}, "--target", "'a'"),
    ("fit", {"schema": "s.json", "missing": "?"}, "--missing", "'?'"),
    ("fit", {"schema": "s.json", "features": "7"}, "features", "7"),
    ("fit", {"schema": "s.json", "loss": "logistic"}, "loss", "logistic"),
    ("fit", {"schema": "s.json", "classes": "0,1"}, "classes", None),
    ("fit", {"schema": "s.json", "unit": "b"}, "unit", "'b'"),
    ("fit", {"schema": "s.json", "feature_scale": "2"}, "feature_scale", None),
    ("fit", {"schema": "-"}, "--schema", "-"),
    ("plan", {"schema": "s.json", "features": "7"}, "features", "7"),
    ("plan", {"schema": "s.json", "features": None, "loss": "logistic"}, "loss", "logistic"),
    ("plan", {"schema": "-", "features": None}, "--schema", "-"),
    ("schema dummy", {"records": "0"}, "--records", "'0'"),
    ("schema import", {"smartnoise": "n.yaml"}, "--smartnoise", None),
    ("lab compare", {"delimiter": ";"}, "--delimiter", None),
    ("lab compare", {"encoding": "latin-1"}, "--encoding", None),
    ("evaluate", {"target": "z"}, "target", "'z'"),
    # A private evaluation: a whole budget, and what goes with one alone.
    ("evaluate", {"epsilon": "1"}, "delta", "nothing"),
    ("evaluate", {"delta": "1e-6"}, "epsilon", "nothing"),
    ("evaluate", {"epsilon": "0", "delta": "1e-6"}, "epsilon", "0"),
    ("evaluate", {"epsilon": "1", "delta": "0"}, "delta", "0"),
    ("evaluate", {"epsilon": "1", "delta": "1"}, "delta", "1"),
    ("evaluate", {**BUDGET, "records": "5"}, "records", "5"),
    ("evaluate", {**BUDGET, "relation": "add_or_remove_one"}, "records", "nothing"),
    ("evaluate", {**BUDGET, "target_scale": "0"}, "target_scale", "0"),
    ("evaluate", {**BUDGET, "unit": "z"}, "unit", "'z'"),
    ("evaluate", {"relation": "replace_one"}, "--relation", None),
    ("evaluate", {"records": "5"}, "--records", None),
    ("evaluate", {"unit": "a"}, "--unit", None),
    ("evaluate", {"target_scale": "1"}, "--target-scale", None),
    ("evaluate", {"seed_for_tests": "1"}, "--seed-for-tests", None),
    ("evaluate", {"html": "page.html"}, "--html", None),
    ("predict", {"id": "z"}, "id", "'z'"),
    ("predict", {"kind": "label"}, "kind", "label"),
    ("predict", {"kind": "probability"}, "kind", "probability"),
]

# Outputs that cannot be, of every command that writes; the file's ending is the command's own.
WRITERS = [("fit", "--out", ".json"), ("predict", "--out", ".csv"), ("inspect", "--html", ".html")]
WRITERS += [("generate", "--out", ".csv"), ("generate", "--truth", ".csv")]
WRITERS += [("lab standardize", "--out", ".csv"), ("schema init", "--out", ".json")]
WRITERS += [("schema dummy", "--out", ".csv"), ("schema import", "--out", ".json")]

# Names for files that are read, each by several spellings.
CLASHES: list[tuple[str, list[str], str, str]] = [
    (command, places, flag, spelling.format(name=name))
    for command, places, flag, names in [
        ("fit", ["a.csv"], "--out", ["a.csv"]),
        ("predict", ["m.json", "a.csv"], "--out", ["a.csv", "m.json"]),
        ("inspect", ["m.json"], "--html", ["m.json"]),
        ("schema init", ["a.csv"], "--out", ["a.csv"]),
        ("schema dummy", ["s.json"], "--out", ["s.json"]),
        ("schema import", [], "--out", ["w.json"]),
        ("lab standardize", ["a.csv"], "--out", ["a.csv"]),
        ("lab standardize", ["gone.csv"], "--out", ["gone.csv"]),
    ]
    for name in names
    for spelling in ["{name}", "./{name}", "d/../{name}", "here/{name}", "d/.././/{name}"]
]


def of_what_stands_beside() -> Iterator[Row]:
    for command, changed, names, given in BESIDE:
        yield Row(call(command, changed), names, given)
    # What needs a file that is not a CSV.
    svm = {"target": None, "features": "2"}
    yield Row(
        call("fit", places=["x.svm"], changed={"target": "y", "features": "2"}), "target", "'y'"
    )
    yield Row(call("fit", places=["x.svm"], changed={**svm, "missing": "?"}), "missing", "'?'")
    yield Row(call("fit", places=["x.svm"], changed={**svm, "storage": "f32"}), "storage", "f32")
    yield Row(call("fit", places=["x.svm"], changed={"target": None}), "features", "nothing")
    yield Row(call("fit", places=["x.npy"], changed={"target": None}), "--target", says="not given")
    yield Row(
        call("fit", places=["x.npy"], changed={"target": "0", "missing": "?"}), "missing", "'?'"
    )
    for target in ["-1", "y", "1.5", "7", "\x1b"]:
        names = f"target: given '{printable(target)}'"
        yield Row(
            call("fit", places=["x.npy"], changed={"target": target}), names, says=".npy file"
        )
        yield Row(call("evaluate", places=["m.json", "x.npy"], changed={"target": target}), names)
    yield from of_models_with_a_schema()
    for place in ("x.svm", "x.npy"):
        for option, value in (("delimiter", ";"), ("encoding", "latin-1")):
            changed = {"target": None, "features": "2"} if place == "x.svm" else {"target": "0"}
            yield Row(call("fit", {**changed, option: value}, [place]), option)
        yield Row(call("fit", {"schema": "s.json", "target": None}, [place]), "--schema", place)
        yield Row(call("schema init", places=[place]), "DATA", place)
        yield Row(call("schema check", places=["s.json", place]), "DATA", place)
    for option in ("id", "missing"):
        for place in ("x.svm", "x.npy"):
            yield Row(call("predict", places=["m.json", place], changed={option: "a"}), option)


def of_models_with_a_schema() -> Iterator[Row]:
    raw = ["ms.json", "a.csv"]
    yield Row(call("predict", {"target": "a"}, raw), "--target", "'a'")
    yield Row(call("predict", {"missing": "?"}, raw), "--missing", "'?'")
    yield Row(call("predict", {"id": "z"}, raw), "id", "'z'")
    yield Row(call("evaluate", {"target": "a"}, raw), "--target", "'a'")
    yield Row(call("evaluate", {"target": None, "missing": "?"}, raw), "--missing", "'?'")
    # Schemas and tables of the wrong form.
    yield Row(call("fit", {"schema": "m.json"}), "m.json", code=DATA, says="'fields' is missing")
    yield Row(call("fit", {"schema": "a.csv"}), "a.csv", code=DATA, says="not JSON")
    yield Row(call("fit", {"schema": "todo.json"}), "field 'a': type", "FILL IN", DATA)
    yield Row(call("schema check", places=["todo.json"]), "field 'a': type", "FILL IN", DATA)
    yield Row(call("schema dummy", places=["todo.json"]), "field 'a': type", "FILL IN", DATA)
    yield Row(call("plan", {"schema": "todo.json"}), "field 'a': type", "FILL IN", DATA)
    for places in (["s.json", "coef.csv"], ["s.json", "-"]):
        yield Row(call("schema check", places=places), ":1" if "-" in places else "'a'", code=DATA)
    yield Row(call("fit", {"schema": "s.json"}, ["coef.csv"]), "'a', 'b', 'y'", code=DATA)
    yield Row(call("schema import", {"csvw": "s.json"}), "tableSchema", code=DATA)
    yield Row(call("schema import", {"csvw": None, "smartnoise": "s.json"}), "s.json:1", code=DATA)
    yield Row(call("schema init", places=["-"]), "standard input:1", code=DATA)


def of_outputs() -> Iterator[Row]:
    for command, places, flag, name in CLASHES:
        out = {flag[2:]: name}
        target = {"target": "y"} if command in ("fit", "lab standardize") else {}
        yield Row(
            call(command, places=places, changed={**out, **target}), flag, name, says="is read"
        )
    for spelling in ["s.csv", "./s.csv", "d/../s.csv"]:
        scale = {"feature_scale": "s.csv", "out": spelling}
        yield Row(call("fit", scale), "--out", spelling, says="is read")
        start = {"start": "s.csv", "out": spelling}
        yield Row(call("fit", start), "--out", spelling, says="is read")
        npy = {"target": "y.npy", "out": spelling.replace("s.csv", "y.npy")}
        yield Row(call("fit", places=["x.npy"], changed=npy), "--out", says="is read")
        truth = {"out": "new.csv", "truth": spelling.replace("s.csv", "new.csv")}
        yield Row(call("generate", truth), "--truth", says="is the file of --out")
    yield Row(call("generate", {"out": "here/n.csv", "truth": "n.csv"}), "--truth", "n.csv")
    for command, flag, ending in WRITERS:
        name = flag[2:]
        for bad, says in [
            (f"d{ending}", "is a directory"),
            ("d" + ending + "/", "is a directory" if command != "generate" else ""),
            (f"dangling{ending}", "is a link to a file that is not there"),
            (f"loop{ending}", "is a link to a file that is not there"),
        ]:
            if bad.endswith("/") and flag == "--out" and command in ("generate", "lab standardize"):
                continue  # the name says no format
            yield Row(call(command, {name: bad}), flag, bad, says=says)
        for bad in (f"gone/new{ending}", f"m.json/new{ending}"):
            yield Row(call(command, {name: bad}), flag, bad, DATA, "cannot be written")
    for command in ("generate", "lab standardize"):
        for bad in ("new", "new.txt", "new.csv.zip", "\x1b"):
            yield Row(call(command, {"out": bad}), printable(bad), code=DATA, says="accepted are")
    for command in ("lab paper", "lab theory"):
        for bad in ("a.csv", "dangling.csv"):
            yield Row(call(command, {"out": bad}), "--out", bad, says="is no directory")


# Inputs of a fit that no data could make right.
BEFORE_DATA: list[tuple[dict[str, str | None], str, str | None]] = [
    ({"out": "d.json"}, "--out", "d.json"),
    ({"out": "pipe.csv"}, "--out", "pipe.csv"),
    ({"out": "dangling.json"}, "--out", "dangling.json"),
    ({"epsilon": "0"}, "epsilon", "0"),
    ({"delta": "1"}, "delta", "1"),
    ({"records": "5"}, "records", "5"),
    ({"relation": "add_or_remove_one"}, "records", "nothing"),
    ({"iterations": "0"}, "iterations", "0"),
    ({"clip": "-1"}, "clip", "-1"),
    ({"share": "2"}, "share", "2"),
    ({"batch_size": "3", "solver": "gcd"}, "batch_size", "3"),
    ({"batch_size": "3", "rule": "gs_s"}, "rule", "gs_s"),
    ({"solver": "best"}, "solver", "best"),
    ({"mode": "best", "solver": "auto"}, "mode", "best"),
    ({"alpha": "2"}, "alpha", "2"),
    ({"classes": "0,1"}, "classes", None),
    ({"target_scale": "-1"}, "target_scale", "-1"),
    ({"target_center": "1", **CLASSES}, "target_center", "1"),
    ({"loss": "logistic"}, "classes", "nothing"),
    ({"feature_scale": "-1"}, "feature_scale", "-1"),
    ({"feature_scale": "one"}, "--feature-scale", "'one'"),
    ({"feature_scale": "from_data"}, "feature_scale", "from_data"),
    ({"start": "x.txt"}, "--start", "'x.txt'"),
    ({"start": "m.json", "refine": "on"}, "refine", "on"),
]


def of_what_is_found_before_data_are_read() -> Iterator[Row]:
    """The data are a pipe that nobody writes to: whoever opens it waits."""
    for changed, names, given in BEFORE_DATA:
        yield Row(call("fit", changed, ["pipe.csv"]), names, given)
    for place in ("pipe.csv", "gone.csv"):
        gone = {"out": "gone/new.json"}
        yield Row(call("fit", places=[place], changed=gone), "--out", "gone/new.json", DATA)
        predict = call("predict", places=["m.json", place], changed={"out": "gone/new.csv"})
        yield Row(predict, "--out", "gone/new.csv", DATA)
        predict = call("predict", places=["m.json", place], changed={"kind": "label"})
        yield Row(predict, "kind", "label")
        lab = call("lab standardize", places=[place], changed={"out": "gone/new.csv"})
        yield Row(lab, "--out", "gone/new.csv", DATA)
    many = call("fit", places=["pipe.svm"], changed={"target": None, "features": "9000000"})
    yield Row(many, "features", "9000000", DATA, "at most 2^23")
    yield Row(call("fit", places=["pipe.svm"], changed={"target": None}), "features", "nothing")
    yield Row(call("fit", places=["pipe.npy"], changed={"target": "-1"}), "target", "'-1'")
    yield Row(call("fit", places=["pipe.npy"], changed={"target": None}), "--target")
