# The only commands anyone types. `make` alone says what there is.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST_SOURCES := $(shell find crates -name '*.rs' -o -name 'Cargo.toml' -o -name 'jieba.tsv.gz')

.PHONY: help setup demo test test-rust test-python lint bench vectors clean

help:
	@echo "make setup   a virtual environment in $(VENV) with neardup and what development needs"
	@echo "make demo    deduplicate the sample in examples/ and show what was removed for what"
	@echo "make test    all tests"
	@echo "make lint    formatting, lints, types, layers"
	@echo "make bench   measure against other packages (installs them into $(VENV))"

setup: $(VENV)/.installed

# What is missing, and how to get it, before anything fails in the middle.
.PHONY: check-tools
check-tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
	  echo "neardup needs Python 3.10 or newer as '$(PYTHON)'. Debian and Ubuntu: apt install python3 python3-venv;" \
	    "or name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing. Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@command -v cargo >/dev/null || { \
	  echo "neardup's core is written in Rust, and there is no 'cargo' here. Install Rust 1.88 or newer" \
	    "from https://rustup.rs, then open a new shell"; exit 1; }

$(VENV)/.created: | check-tools
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	touch $@

$(VENV)/.dependencies: pyproject.toml $(VENV)/.created
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

$(VENV)/.installed: $(VENV)/.dependencies $(RUST_SOURCES) Cargo.lock
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	touch $@

demo: setup
	$(BIN)/python examples/demo.py

test: test-rust test-python

test-rust: setup
	cargo test --locked --quiet --package neardup-core

test-python: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m mypy.stubtest neardup._core
	cargo fmt --check
	cargo clippy --locked --quiet --all-targets -- --deny warnings

bench: setup
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benches/fingerprint.py

# The golden vectors come from the oracle alone; they never change for a profile that exists.
vectors: setup
	$(BIN)/python tests/vectors/make_vectors.py

clean:
	rm -rf $(VENV) target demo-output
