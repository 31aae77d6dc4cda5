# The recipes everyone uses. `make demo` and `make test` need nothing but Python >= 3.11 and the package registries.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: page page-check demo demo-ui test compiled cover check house bench mutants mutations docs dist pythons clean

demo: $(VENV)/.core
	@$(BIN)/graphbus demo

# Three workers on two cores: half of the time goes into waiting for servers and processes.
# One tier alone: make test ARGS="-m in_process", or "-m processes", or "-m browser_nats".
JOBS ?= 3
test: $(VENV)/.dev compiled
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

# Where PYTHONDONTWRITEBYTECODE is set, each of some thousand processes would compile the package: a second each.
compiled: $(VENV)/.dev
	@$(BIN)/python -m compileall -q graphbus_core clients

# The same run, with the lines it reached: a third slower, on demand.
cover: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --cov --cov-report=term $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/structure

bench: $(VENV)/.bench
	@set -e; for f in benchmarks/[a-z]*.py; do echo; echo "== $$f"; $(BIN)/python $$f; done

house: $(VENV)/.dev
	$(BIN)/python -m tests.structure --all

# Any small change, not only the rules we know of; on demand. ROOM is contracts or commit; ARGS as in CONTRIBUTING.md.
mutations: $(VENV)/.dev
	$(BIN)/python -m tests.mutations $(or $(ROOM),contracts) $(ARGS)

mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants

# The documentation site, in site/. Its libraries have an environment of their own: they are no part of the tests.
# The page of `graphbus serve`, compiled from page/ into graphbus_core/http/page. Needs node and npm; users need neither.
page: page/node_modules/.installed
	cd page && npx tsc --noEmit && node build.mjs

page-check: page/node_modules/.installed
	cd page && npx tsc --noEmit && node build.mjs --check

page/node_modules/.installed: page/package.json page/package-lock.json
	cd page && npm ci --no-fund --no-audit
	@touch $@

docs: $(VENV)-docs/.docs
	$(BIN)/python docs/draw_architecture.py --write
	$(BIN)/python docs/write_commands.py --write
	$(VENV)-docs/bin/zensical build --clean --strict

# Wheel and sdist, checked; the demo from the wheel in an empty environment, on each interpreter of PYTHONS.
comma := ,
space := $(subst ,, )
PYTHONS ?= $(PYTHON)
dist: $(VENV)/.dist
	$(BIN)/python .ci/wheel.py --pythons $(subst $(space),$(comma),$(strip $(PYTHONS)))

# The suite on further interpreters, each in an environment of its own: make pythons PYTHONS="python3.12 python3.13"
pythons:
	@set -e; for p in $(PYTHONS); do $(MAKE) test PYTHON=$$p VENV=.venv-$$(basename $$p); done

demo-ui: $(VENV)/.ui
	$(BIN)/python -m graphbus_core.cli.main demo --ui

# Each stamp installs on top of the one below it, so that `make demo` stays quick.
$(VENV)/.core: pyproject.toml constraints.txt
	@echo "Making a virtual environment in $(VENV) (once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "GraphBus needs Python 3.11 or newer; set PYTHON=python3.x"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[consent-exact,types]'
	@touch $@

$(VENV)/.ui: $(VENV)/.core
	@echo "Installing what the page needs ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[server]'
	@touch $@

$(VENV)/.dev: $(VENV)/.core .ci/hide_plugins.py
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@$(BIN)/python .ci/hide_plugins.py
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
	@touch $@

$(VENV)/.dist: $(VENV)/.core
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dist]'
	@touch $@

$(VENV)-docs/.docs: pyproject.toml constraints.txt | $(VENV)/.core
	@test -x $(VENV)-docs/bin/python || $(PYTHON) -m venv $(VENV)-docs
	@$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

clean:
	rm -rf .venv .venv-* demo-run build dist site
