# Southwell: `make demo` and `make test` set everything up by themselves. `make help` lists the rest.

# Fixed tools: Debian's CMake and compilers and our own Python environment, whatever else is on PATH.
export PATH := $(CURDIR)/.venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CMAKE := /usr/bin/cmake
PYTHON := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help setup build demo test mutants audit reliability bench docs docs-browser page-shots wheel deb inputs report-shot format lint asan asan-python tsan clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install the Debian packages and the Python environment (nothing to do: under 1 s)
	@tools/bootstrap

configure-%: setup
	@mkdir -p build && $(CMAKE) --preset $* > build/configure-$*.log 2>&1 || \
	  { cat build/configure-$*.log; exit 1; }

.PRECIOUS: configure-%
build-%: configure-%
	@$(CMAKE) --build --preset $*

build: configure-release ## the command line at build/southwell, the Python package in .venv
	@$(CMAKE) --build --preset product
	@ln -sfn release/cli/southwell build/southwell
	@$(PYTHON) tools/install_package.py

demo: build ## one story on a raw table: schema, plan, fit, figures, the statement page
	@$(PYTHON) tools/demo.py

build-release: build  # the same objects, and with them tests, benchmarks and the instrumented library

test: build-release build-clang build-fuzz ## everything: C++ under both compilers, fuzzing, Python, checks
	@$(PYTHON) tools/run_tests.py

mutants: build-release ## switch on each known fault in turn and name the test that catches it
	@$(PYTHON) tools/mutants.py build/release/tests/instrumented_test

audit: build ## look for evidence against the promise, at every level that needs no model
	@$(CMAKE) --build --preset release --target southwell_replay
	@build/southwell audit

ROWS ?= all
reliability: build-release build-fuzz ## run what docs/reliability.md tells of, and write it; ROWS=audits,canaries runs some
	@$(PYTHON) tools/reliability.py --rows $(ROWS)

bench: build-release ## measure, print the table, write bench/results/latest.json
	@$(PYTHON) -m bench.run

docs: build ## the site, in build/site/html: pages, commands, Python; links checked, nothing asked of others
	@$(PYTHON) -m tools.website

PYTHONS ?=
wheel: build ## dist/: a wheel to pip install, with the command line; the sources; PYTHONS=… for other Pythons
	@$(PYTHON) tools/make_wheel.py $(PYTHONS)

deb: build ## dist/: Debian packages of the command line and of the library
	@$(CMAKE) --build --preset release --target southwell
	@mkdir -p dist && /usr/bin/cpack --config build/release/CPackConfig.cmake -B dist > build/cpack.log || { cat build/cpack.log; exit 1; }
	@rm -rf dist/_CPack_Packages && ls dist/*.deb

inputs: build ## write down the public inputs (docs/inputs.md, Python) from the rows of fit/input_rows.cpp
	@$(PYTHON) tools/write_inputs.py

STUDY ?= build/paper
report-shot: build ## draw the report of STUDY (build/paper) and keep how Chromium shows it in docs/
	@$(PYTHON) tools/report_shot.py $(STUDY)

page-shots: build ## keep in docs/ how Chromium shows the statement page
	@$(PYTHON) -m tools.page_shots

docs-browser: docs ## open pages in Chromium: console, requests, accessibility, narrow screens
	@.venv/bin/uv --system-certs pip install -q playwright axe-playwright-python
	@$(PYTHON) -m tools.check_in_browser

format: setup ## format C++ and Python in place
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i
	@ruff format -q . && ruff check -q --fix .

lint: setup build-clang ## formatters in check mode, clang-tidy, ruff, mypy, the order of the rooms
	@$(PYTHON) tools/lint.py

workflow-%: setup
	@$(CMAKE) --workflow --preset $*

asan: workflow-asan workflow-asan-gcc ## all C++ tests under the address and undefined-behaviour sanitizers
asan-python: build build-asan-python ## the Python tests on a module built with the same sanitizers
	@$(PYTHON) tools/asan_python.py
tsan: workflow-tsan ## all C++ tests under the thread sanitizer

clean: ## remove everything that was built (the Python environment stays)
	@rm -rf build dist
