# The recipes everyone uses. `make demo` and `make test` need nothing but Python >= 3.11 and the package registries.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: demo demo-ui test check house bench mutants clean

demo: $(VENV)/.core
	@$(BIN)/graphbus demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench
	@set -e; for f in benchmarks/[a-z]*.py; do echo; echo "== $$f"; $(BIN)/python $$f; done

house: $(VENV)/.dev
	$(BIN)/python -m tests.structure

mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants

demo-ui: $(VENV)/.dev
	$(BIN)/python -m graphbus_core.cli.main demo --ui

# Each stamp installs on top of the one below it, so that `make demo` stays quick.
$(VENV)/.core: pyproject.toml constraints.txt
	@echo "Making a virtual environment in $(VENV) (once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "GraphBus needs Python 3.11 or newer; set PYTHON=python3.x"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
	@touch $@

clean:
	rm -rf $(VENV) demo-run build dist
