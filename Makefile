# Each target does its own set-up: a fresh clone needs Python 3.10 or newer, pip and make, nothing else.
#   make demo        look at a faulty training program with the linter, then run it under the companion
#   make test        the test suite without the slow tests
#   make PYTHON=python3.12 VENV=.venv312 test     with another Python

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test test-programs test-all lint format types self docs docs-check check clean distclean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

# ---- set-up: a stamp a set of packages, renewed when pyproject.toml changes ----------------------------

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "jaxlint needs Python 3.10 or newer, and $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime-installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[runtime]'
	@touch $@

$(VENV)/.dev-installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.runtime-installed

# ---- what people run -----------------------------------------------------------------------------------

demo: $(VENV)/.runtime-installed  ## check a faulty training program, then run it under the companion
	@BIN=$(BIN) sh examples/demo.sh

test: $(VENV)/.dev-installed  ## the test suite, without the slow tests
	$(BIN)/python -m pytest -q -m "not slow" $(ARGS)

test-programs: $(VENV)/.dev-installed  ## the tests with pre-commit and other programs
	$(BIN)/python -m pytest -q -m program $(ARGS)

test-all: $(VENV)/.dev-installed  ## the whole test suite
	$(BIN)/python -m pytest -q $(ARGS)

lint: $(VENV)/.dev-installed  ## ruff: rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev-installed  ## ruff: repair what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev-installed  ## mypy --strict on both packages
	$(BIN)/mypy --strict

self: $(VENV)/.dev-installed  ## jaxlint on its own repository
	$(BIN)/jaxlint check .

docs: $(VENV)/.dev-installed  ## write the generated pages (docs/rules)
	$(BIN)/python -m jaxlint.rules.docs docs/rules

docs-check: $(VENV)/.dev-installed  ## fail if a generated page is stale
	$(BIN)/python -m jaxlint.rules.docs docs/rules --check

check: lint types self docs-check test  ## all of the above that must pass

clean:  ## remove caches and builds
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .jaxlint_cache
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean  ## remove the virtual environment too
	rm -rf $(VENV)
