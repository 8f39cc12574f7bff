# Every target makes the virtual environment it needs. Nothing here asks a question or needs to be root.
#   make run ARGS="--seats red,yellow --first red"     the box on a simulated panel, in the browser
#   make test TESTS=tests/core                         the quick suite, or a part of it (without its coverage limits)
# PYTHON=python3.13 chooses the interpreter that .venv is made with; else the first of these that is 3.11 or newer.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
# One environment, which grows with what is asked for: to run, to develop, to draw the hardware.
RUNS := $(VENV)/.has-run
STAMP := $(VENV)/.has-dev
DRAWS := $(VENV)/.has-hardware
BROWSES := $(VENV)/.has-browser

PYTHONS := python3 python3.13 python3.12 python3.11 python3.14
ARGS ?=
TESTS ?=

# A virtual environment knows its own path: in a checkout that was moved or copied it has to be made again.
ifneq ($(shell cat $(VENV)/.made-for 2>/dev/null),$(CURDIR))
.PHONY: $(RUNS) $(STAMP) $(DRAWS) $(BROWSES)
endif

.PHONY: help run test lint types browser pictures hil hil-system pi-systems deb emulator bench golden hardware clean $(VENV)

help:
	@echo "make run      referee on a simulated panel in the browser (ARGS=--terminal: in this terminal)"
	@echo "make test     the quick test suite, with coverage of core and games"
	@echo "make lint     ruff;  make types: mypy --strict, hardware/, systemd/ and .ci/ too"
	@echo "make browser  the pages in Chromium: matches, phones, lost connections, axe-core"
	@echo "make hil      the same program on simulated GPIO lines of a real kernel, in QEMU"
	@echo "make emulator the pods' very files on the real MicroPython, on an emulated RP2040"
	@echo "make hil-system  the installed box on a booted Debian in QEMU, with its power cut twenty times (root)"
	@echo "make pi-systems  the arm64 package on Bookworm and Trixie, by user-space emulation (root)"
	@echo "make deb      the Debian package, in dist (ARGS=\"--arch arm64\" for another machine)"
	@echo "make bench    measure; prints a table and writes JSON"
	@echo "make golden   draw the pictures that the display tests compare with anew"
	@echo "make pictures draw the README's pictures of the pages anew (Chromium)"
	@echo "make hardware the drawings, the case and the netlist, each checked (needs OpenSCAD, Xvfb, KiCad)"
	@echo "make clean    remove .venv and everything that was made"

$(VENV): $(STAMP)

$(RUNS): pyproject.toml .ci/venv
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))"
	@touch $@

$(STAMP): pyproject.toml .ci/venv
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev
	@touch $@ $(RUNS)

$(DRAWS): pyproject.toml .ci/venv
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,hardware
	@touch $@ $(STAMP) $(RUNS)

$(BROWSES): pyproject.toml .ci/venv
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,browser
	@touch $@ $(STAMP) $(RUNS)

run: $(RUNS)
	@$(BIN)/companion run --simulate $(ARGS)

# The limits are for the whole suite: coverage.py's own is on lines and branches together, the second on branches alone.
test: $(STAMP)
ifeq ($(TESTS),)
	@$(BIN)/python -m pytest --cov --cov-report=term </dev/null
	@$(BIN)/python .ci/branches 95
else
	@$(BIN)/python -m pytest $(TESTS) </dev/null
endif

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

# hardware/ is checked with the types of what it draws with.
types: $(DRAWS)
	@$(BIN)/mypy

# The quick suite knows no browser_*.py, so it is said here. CHROMIUM names another browser than Debian's.
browser: $(BROWSES)
	@[ -n "$${CHROMIUM:-}" ] || .ci/packages chromium
	@$(BIN)/python -m pytest tests/browser -o "python_files=browser_*.py" $(ARGS) </dev/null

pictures: $(BROWSES)
	@[ -n "$${CHROMIUM:-}" ] || .ci/packages chromium
	@$(BIN)/python -m tests.browser.pictures </dev/null

hil: $(STAMP)
	@tests/hil/run $(ARGS) </dev/null

emulator: $(STAMP)
	@nice $(BIN)/python -m pytest tests/emulator -o addopts="-ra --strict-markers --import-mode=importlib" $(ARGS) </dev/null

hil-system: $(STAMP)
	@tests/hil_system/run $(ARGS) </dev/null

pi-systems: $(STAMP)
	@tests/pi_systems/run $(ARGS) </dev/null

# Needs no virtual environment of ours: this is what `systemd/install` calls on a fresh Raspberry Pi too.
deb:
	@$(or $(PYTHON),python3) systemd/build_deb.py $(ARGS)

bench: $(STAMP)
	@$(BIN)/python -m tests.bench $(ARGS) </dev/null

golden: $(STAMP)
	@$(BIN)/python -m pytest tests/screens/test_oled_golden.py --update-golden </dev/null

hardware: $(DRAWS)
	@.ci/packages openscad xvfb xauth kicad kicad-footprints
	@$(BIN)/python -m pytest tests/hardware -o addopts="-ra --strict-markers --import-mode=importlib" </dev/null
	@$(BIN)/python -m hardware.build </dev/null

clean:
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
