# Two commands matter: `make serve` and `make test`. Each sets up its own .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup train-setup serve test bench lint photos models clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/'

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/.train-ready: $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	@touch $@

setup: $(VENV)/.ready ## make .venv with the kibic command

train-setup: $(VENV)/.train-ready ## add what training needs

serve: setup ## the table page for everybody on the network
	$(BIN)/kibic serve

test: setup lint ## lint, types, import arrows and every test
	$(BIN)/pytest -q -m 'not slow'
	$(BIN)/pytest -q -m slow

lint: setup ## ruff, mypy and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## timings, as ratios and medians
	$(BIN)/pytest -q benchmarks --benchmark-only -o addopts="-p no:cacheprovider"

photos: setup ## render the fixed-seed photo sets
	$(BIN)/python -m models.studio sets

models: train-setup ## train and export the networks
	$(BIN)/python -m models.train all

clean: ## remove what the targets made
	rm -rf $(VENV) photos *.egg-info
