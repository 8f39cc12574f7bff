# Every target makes the virtual environment it needs. Nothing here asks a question or needs to be root.
#   make run ARGS="--seats red,yellow --first red"     the box on a simulated panel, in the browser
#   make run ARGS=--phones                             a box whose only buttons are phones
#   make check                                         lint, types and the quick suite: five minutes on two cores
#   make test TESTS=tests/core                         a part of the tests, with all that it has
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
CHECKS := $(VENV)/.has-check
WRITES := $(VENV)/.has-docs
HOLDS := $(VENV)/.has-desk
# The pages' JavaScript and CSS are checked by programs of their own, from npm.
PAGES := .ci/pages/node_modules
PAGES_CHECKED := $(PAGES)/.is-complete
# What reads codes for browsers, from npm too: the pages serve it.
FETCH := systemd/supply/pages/fetch
# Lighthouse, from npm too.
MEASURES := .ci/engines/node_modules
MEASURED := $(MEASURES)/.is-complete
MUTATES := $(VENV)/.has-mutants
HEARS := $(VENV)/.has-voice
# What is installed into it, each file by its hash (make lock).
LOCKS := $(wildcard systemd/supply/locks/*.txt)

# Debian's programs that slow tests start.
STARTED := espeak-ng speech-dispatcher speech-dispatcher-espeak-ng speech-dispatcher-audio-plugins poppler-utils fdisk \
	dosfstools mtools postgresql mosquitto
# What benchmarks start beside them: a browser, and the emulated machine of the hobbyist's program.
BENCHED := qemu-system-x86 $(if $(CHROMIUM),,chromium-headless-shell)

PYTHONS := python3 python3.13 python3.12 python3.11 python3.14
ARGS ?=
TESTS ?=

# Containers like to forbid Python its compiled files. Hundreds of processes that tests start would then compile the whole
# program, each for itself, and every worker of pytest rewrite every assertion again.
unexport PYTHONDONTWRITEBYTECODE

RECORDS ?= 10000
MATCHES ?= 1000
KILLS ?= 1000
FLIPS ?= 5700
MINUTES ?= 60
SEED ?= 1
HISTORIES ?= 60
FIRST ?= 0

# A virtual environment knows its own path: in a checkout that was moved or copied it has to be made again.
ifneq ($(shell cat $(VENV)/.made-for 2>/dev/null),$(CURDIR))
.PHONY: $(RUNS) $(STAMP) $(DRAWS) $(BROWSES) $(CHECKS) $(WRITES) $(HOLDS) $(MUTATES)
endif

.PHONY: help run tournament check check-pythons quick test test-all counted thorough documents lint types package voice browser engines pictures attack brokers chaos kills flips fuzz hil hil-system images pi-systems deb image image-test emulator bench calibration mutants differential drawing golden catalogues hardware docs lock audit sbom clean $(VENV)

help:
	@echo "make run      referee on a simulated panel in the browser (ARGS=--phones: phones alone; ARGS=--terminal: in this terminal)"
	@echo "make tournament  hold a whole tournament without hardware: 16 boxes, 64 players (ARGS=\"--seed mine\")"
	@echo "make check    lint, types and the quick test suite: at most five minutes on two cores"
	@echo "make test TESTS=tests/core  a part of the tests, with slow ones, all seeds and all examples"
	@echo "make test-all the whole test suite, with coverage of core and games"
	@echo "make check-pythons  make check on every Python from 3.11 to 3.14 that is found here"
	@echo "make lint     ruff, and Biome for the pages;  make types: mypy --strict everywhere, and tsc --strict for the pages"
	@echo "make package  build sdist and wheel, install each in an empty place, and play the demonstration"
	@echo "make voice    a whole match spoken by the box's voice, and understood again by a machine; in four languages"
	@echo "make browser  the pages in Chromium: matches, phones, lost connections, axe-core"
	@echo "make engines  a player's page in Firefox and WebKit too, and Lighthouse on every page"
	@echo "make attack   the box attacked as a hostile guest would, on this machine's own addresses alone, bounded in time"
	@echo "make brokers  the link to an event's broker on three nodes of RabbitMQ, which are killed in the middle (Debian)"
	@echo "make chaos    an event at which broker, desk, boxes and network are killed, stopped and cut for an hour (MINUTES=60 SEED=1; Debian)"
	@echo "make hil      the same program on simulated GPIO lines of a real kernel, in QEMU (ARGS=--long: a million pairs, a match)"
	@echo "make kills    kill the simulated box at random instants in play, and count what was kept (KILLS=1000)"
	@echo "make flips    change single bits of a played journal, start a box on each, repair, and count (FLIPS=5700)"
	@echo "make fuzz     ten million random and as many mutated bytes into both readers of the pods' line"
	@echo "make emulator the pods' very files on the real MicroPython, on an emulated RP2040"
	@echo "make hil-system  the installed box on a booted Debian in QEMU, with its power cut twenty times (root; ARGS=\"--cuts 200\")"
	@echo "make pi-systems  the arm64 package on Bookworm and Trixie, by user-space emulation (root)"
	@echo "make deb      the Debian package, in dist (ARGS=\"--arch arm64\" for another machine)"
	@echo "make image    an SD card to flash, arm64, with the package on it, in build/image (root; ARGS=\"--archive debian\")"
	@echo "make image-test  that card booted in QEMU: first start, presses, a read-only root, a power cut (root)"
	@echo "make sbom     what is in the Debian package, as CycloneDX, in dist (ARGS=\"--arch arm64\")"
	@echo "make lock     the lock files anew, after a change of pyproject.toml (ARGS=all: all newer; ARGS=pillow: that one)"
	@echo "make audit    ask what is known against the locked libraries (ARGS=--must: fail where nothing can be asked)"
	@echo "make bench    measure, an hour; prints a table, writes JSON, compares with docs/accuracy.md (ARGS=\"showing event\")"
	@echo "make calibration  simulate players and measure how often the intervals of allowances hold (PLAYERS=10000)"
	@echo "make mutants  change core and games in small ways and see whether their tests notice (ARGS=\"judge ranking\")"
	@echo "make differential  the program's judge against second ones: made-up records (RECORDS=10000, FIRST=0), whole matches (MATCHES=1000 a game)"
	@echo "make drawing  draw rounds of made-up events, and have a solver prove how good that is; time 4,000 players (HISTORIES=60)"
	@echo "make golden   draw the pictures that the display tests compare with anew"
	@echo "make catalogues  what games say, as templates in build/catalogues, and their catalogues brought up to date (ARGS=\"claim --language de\")"
	@echo "make pictures draw the README's and the documentation's pictures of the pages anew (Chromium)"
	@echo "make hardware the drawings, what is printed and the header board, each checked (root; fetches KiCad 9 once)"
	@echo "make docs     the documentation as a site, in build/docs, with its links checked"
	@echo "make clean    remove .venv and everything that was made"

$(VENV): $(STAMP)

$(RUNS): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))"
	@touch $@

$(STAMP): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev
	@touch $@ $(RUNS)

$(DRAWS): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,hardware
	@touch $@ $(STAMP) $(RUNS)

$(BROWSES): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,browser
	@touch $@ $(STAMP) $(RUNS)

$(HOLDS): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" desk
	@touch $@ $(RUNS)

# All that lint, types and the quick suite need: mypy reads what draws the hardware, builds the pages and drives the browser.
$(CHECKS): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,hardware,docs,browser
	@touch $@ $(STAMP) $(RUNS) $(DRAWS) $(WRITES) $(BROWSES)

$(WRITES): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,docs
	@touch $@ $(STAMP) $(RUNS)

$(PAGES_CHECKED): .ci/pages/package.json .ci/pages/install
	@.ci/pages/install
	@touch $@

$(MEASURED): .ci/engines/package-lock.json .ci/engines/install
	@.ci/engines/install
	@touch $@

$(MUTATES): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,mutants
	@touch $@ $(STAMP) $(RUNS)

$(HEARS): pyproject.toml .ci/venv $(LOCKS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" dev,voice
	@touch $@ $(STAMP) $(RUNS)

run: $(RUNS)
	@$(FETCH) --if-possible
	@$(BIN)/companion run $(if $(filter --phones,$(ARGS)),,--simulate) $(ARGS)

tournament: $(HOLDS)
	@$(FETCH) --if-possible
	@$(BIN)/companion tournament --simulate 16 $(ARGS)

# What the README asks of everybody: the environment is made first, so that what is timed is the check.
check: $(CHECKS) $(PAGES_CHECKED)
	@.ci/check

# Each interpreter has an environment of its own; one that is not there is named, and is no failure.
check-pythons:
	@.ci/pythons

# Debian's programs that only slow tests start are not asked for here: a fresh machine needs Python, and nothing more.
quick: $(CHECKS)
	@.ci/quick $(BIN)/python $(ARGS)

test: $(STAMP)
ifeq ($(TESTS),)
	@echo "make test TESTS=tests/core runs a part of the tests; make check the quick suite, make test-all all of it" >&2; exit 2
endif
	@.ci/packages $(STARTED)
	@$(BIN)/python -m pytest --thorough $(TESTS) $(ARGS) </dev/null

test-all: counted thorough documents

# The tests that must cover core and games (tests/conftest.py says which): counting branches takes three times as long, so
# they try few examples here. coverage.py's own limit is on lines and branches together, the second on branches alone.
counted: $(CHECKS)
	@$(BIN)/python -m pytest -q -m "not no_cover" -n auto --maxprocesses 4 --dist loadfile --cov --cov-report=term $(ARGS) </dev/null
	@$(BIN)/python .ci/branches 95

# All other tests, with all that they can try, and every benchmark for seconds. They wait for processes and sockets too: so they
# get one process more than there are processors. AFTER=quick leaves out what `make check` has run the very same.
thorough: $(CHECKS)
	@.ci/packages $(STARTED) $(BENCHED)
	@$(BIN)/python -m pytest -q --thorough --after $(or $(AFTER),counted) --durations=20 -n $$(($$(nproc) < 4 ? $$(nproc) + 1 : 4)) --dist loadfile $(ARGS) </dev/null

# What a real box and a real desk send, held by the compiler against the types of the pages.
documents: $(CHECKS) $(PAGES_CHECKED)
	@$(BIN)/python -m pytest -q --thorough tests/adapters/web -o "python_files=compiled_*.py" $(ARGS) </dev/null

lint: $(CHECKS) $(PAGES_CHECKED)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(PAGES)/.bin/biome lint --config-path=.ci/pages --error-on-warnings companion

# mypy reads hardware/, docs/ and tests/browser with the types of what they use.
types: $(CHECKS) $(PAGES_CHECKED)
	@$(BIN)/mypy
	@$(PAGES)/.bin/tsc --project .ci/pages

# Real time: a minute of it is the demonstration. The quick suite knows no package_*.py, so it is said here.
package: $(STAMP)
	@$(FETCH)
	@$(BIN)/python -m pytest --thorough tests/package -o "python_files=package_*.py" $(ARGS) </dev/null

# A whole match spoken into files and understood again takes a minute: the quick suite knows no voice_*.py.
voice: $(HEARS)
	@.ci/packages espeak-ng
	@nice $(BIN)/python -m pytest --thorough tests/voice -o "python_files=voice_*.py" $(ARGS) </dev/null

# The quick suite knows no browser_*.py, so it is said here. CHROMIUM names another browser than Debian's Chromium
# without windows, which draws every open page (the one with windows draws those behind the front once a second) and
# takes half the time; the one with windows is among the engines. Two at once: pages mostly wait for the box, and
# the box for the pages.
browser: $(BROWSES)
	@$(FETCH)
	@[ -n "$${CHROMIUM:-}" ] || .ci/packages chromium-headless-shell
	@$(BIN)/python -m pytest --thorough tests/browser -n 2 --dist loadfile --no-loadscope-reorder -o "python_files=browser_*.py" $(ARGS) </dev/null

# The quick suite knows no engines_*.py, so it is said here. FIREFOX and CHROMIUM name others than Debian's.
engines: $(BROWSES) $(MEASURED)
	@.ci/packages firefox-esr webkit2gtk-driver xvfb $(if $(CHROMIUM),,chromium)
	@$(BIN)/python -m pytest --thorough tests/engines -o "python_files=engines_*.py" $(ARGS) </dev/null

# The quick suite knows no attack_*.py, so it is said here. Every attack is bounded in count and time.
attack: $(STAMP)
	@$(BIN)/python -m pytest --thorough tests/attack -o python_files="attack_*.py" $(ARGS) </dev/null

# The quick suite knows no brokers_*.py, so it is said here; amqtt and mosquitto are in it. Three nodes take a minute.
brokers: $(STAMP)
	@.ci/packages rabbitmq-server
	@$(BIN)/python -m pytest --thorough tests/brokers -o "python_files=brokers_*.py" $(ARGS) </dev/null

# What it holds is the same on any machine: how long each fault lasts is real time, and nothing else is.
chaos: $(STAMP)
	@.ci/packages mosquitto
	@nice $(BIN)/python -m tests.chaos.chaos --minutes $(MINUTES) --seed $(SEED) $(ARGS) </dev/null

pictures: $(BROWSES)
	@[ -n "$${CHROMIUM:-}" ] || .ci/packages chromium
	@$(BIN)/python -m tests.browser.pictures </dev/null
	@$(BIN)/python -m tests.browser.gallery </dev/null
	@$(BIN)/python -m tests.browser.event_gallery </dev/null

kills: $(STAMP)
	@nice $(BIN)/python -m tests.app.kills --kills $(KILLS) $(ARGS) </dev/null
	@nice $(BIN)/python -m tests.app.pod_kills --kills $$(($(KILLS) / 5)) </dev/null

flips: $(STAMP)
	@nice $(BIN)/python -m tests.flips.flips --flips $(FLIPS) $(ARGS) </dev/null

fuzz: $(STAMP)
	@nice $(BIN)/python -m tests.core.pods.noise $(ARGS) </dev/null

hil: $(STAMP)
	@tests/hil/run $(ARGS) </dev/null

# The disk that hil-system boots, made beforehand; hil-system makes it itself where it is missing.
images: $(STAMP)
	@$(BIN)/python -m tests.hil_system.image </dev/null

# MicroPython is built before the first test, whose time limit it would be counted in.
emulator: $(STAMP)
	@nice $(BIN)/python -m tests.emulator </dev/null
	@nice $(BIN)/python -m pytest --thorough tests/emulator -o addopts="-ra --strict-markers --import-mode=importlib" $(ARGS) </dev/null
	@$(if $(ARGS),,.ci/unchanged --passed emulator)

hil-system: $(STAMP)
	@tests/hil_system/run $(ARGS) </dev/null

pi-systems: $(STAMP)
	@tests/pi_systems/run $(ARGS) </dev/null

# Needs no virtual environment of ours: this is what `systemd/install` calls on a fresh Raspberry Pi too.
deb:
	@$(or $(PYTHON),python3) systemd/build_deb.py $(ARGS)

# As `deb`, it needs no virtual environment; but root, as it makes another processor's system.
image:
	@.ci/packages mmdebstrap arch-test qemu-user-static fdisk dosfstools mtools e2fsprogs xz-utils
	@nice $(or $(PYTHON),python3) -m systemd.image.build $(ARGS) </dev/null

image-test: $(STAMP)
	@.ci/packages qemu-system-arm qemu-utils mmdebstrap arch-test qemu-user-static mtools gcc-aarch64-linux-gnu libc6-dev-arm64-cross device-tree-compiler
	@tests/card/run $(ARGS) </dev/null

sbom:
	@$(or $(PYTHON),python3) systemd/build_deb.py --sbom $(ARGS)

lock: $(RUNS)
	@.ci/venv $(VENV) "$(or $(PYTHON),$(PYTHONS))" lock
	@$(BIN)/python -m systemd.supply.lock $(ARGS)

audit: $(STAMP)
	@$(BIN)/python -m systemd.supply.audit $(ARGS) </dev/null

bench: $(BROWSES)
	@.ci/packages $(STARTED) $(BENCHED)
	@$(BIN)/python -m tests.bench $(ARGS) </dev/null

# PLAYERS=1000 is quicker, and may miss a promise by chance.
calibration: $(STAMP)
	@nice $(BIN)/python -m tests.bench calibration </dev/null

mutants: $(MUTATES)
	@nice $(BIN)/python -m tests.mutants $(ARGS) </dev/null

differential: $(STAMP)
	@nice $(BIN)/python -m tests.differential.agreement --records $(RECORDS) --first $(FIRST) </dev/null
	@nice $(BIN)/python -m tests.games.two_judges --matches $(MATCHES) </dev/null

drawing: $(STAMP)
	@$(BIN)/python -m tests.tournament.drawing.proof --histories $(HISTORIES) $(ARGS) </dev/null

golden: $(STAMP)
	@$(BIN)/python -m pytest tests/screens/oled/test_golden.py --update-golden </dev/null

catalogues: $(STAMP)
	@$(BIN)/python -m companion.testing.extraction $(ARGS) </dev/null

hardware: $(DRAWS)
	@.ci/packages mmdebstrap
	@$(BIN)/python -m pytest --thorough tests/hardware -o addopts="-ra --strict-markers --import-mode=importlib" </dev/null
	@$(BIN)/python -m hardware.build $(ARGS) </dev/null
	@$(if $(ARGS),,.ci/unchanged --passed hardware)

# NO_MKDOCS_2_WARNING: what the theme would print at each build about its future is in docs/decisions/015.
docs: $(WRITES)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet --clean </dev/null
	@$(BIN)/python -m docs.making.links build/docs

clean:
	rm -rf $(VENV) $(PAGES) $(MEASURES) build dist htmlcov .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
