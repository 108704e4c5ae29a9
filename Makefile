# The way in. Every target installs what it needs (see dependencies.txt), can be repeated, and is quick
# when there is nothing to do. The work is in scripts/.

.DEFAULT_GOAL := help
.PHONY: help build reproduce results test quick asan tsan format tidy maps guides docs wheel web bench coverage soak fuzz clean

RESULTS ?= results/reproduce
KILLS ?= 200
STEPS ?= 1e10
SECONDS_PER_ENGINE ?= inf
SECONDS_PER_PARSER ?= 60
EXECUTIONS ?= 0
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)

help: ## this list
	@echo "make TARGET, where TARGET is one of:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

build: ## install what is missing, build build/nhot
	@scripts/install build
	@scripts/build release nhot
	@echo "build/nhot is ready; try: build/nhot --help"

reproduce: build ## build, then repeat the paper's experiments and write a report
	@build/nhot reproduce all --out $(RESULTS)

results: reproduce ## repeat the experiments, then write doc/results.md and its figures from them
	@scripts/install doc
	@.venv/bin/python scripts/results.py --reproduction $(RESULTS)/results.json --sweep $(RESULTS)/sweep.json
	@scripts/quotes.py --write

test: ## install, build, run every check and every test
	@scripts/install build test lint browser
	@scripts/test

quick: ## like test, without sanitizers, second compiler and static analysis
	@scripts/install build test lint browser
	@scripts/test quick

asan: ## C++ tests under the address and undefined-behaviour sanitizers
	@scripts/install build lint
	@scripts/build asan
	@ctest --preset asan -j 2

tsan: ## C++ tests under the thread sanitizer
	@scripts/install build lint
	@scripts/build tsan
	@ctest --preset tsan

format: ## lay out the sources with clang-format
	@scripts/install test lint
	@scripts/check/format.py --write

tidy: ## static analysis of every source file
	@scripts/install build test lint
	@cmake --preset clang >/dev/null
	@scripts/check/tidy.py

maps: ## rewrite the trees in the documents from the folders that exist
	@scripts/install test
	@scripts/check/maps.py --write

guides: ## follow the guides of doc/adding-*.md in a copy of the tree, build it, try what was added
	@scripts/install build test
	@folder=$$(mktemp -d)/tree && .venv/bin/python scripts/guides.py $$folder --build; status=$$?; rm -rf "$$(dirname $$folder)"; exit $$status

docs: ## the documents as a site in build/site, with every example run and every figure made
	@scripts/install build test site
	@scripts/docs

wheel: ## the Python package as a file that pip installs, in dist/
	@scripts/install build test wheel
	@scripts/wheel

web: build ## the page that samples in a browser, build/web/index.html, with its tests (Emscripten: 815 MB)
	@scripts/install test browser web
	@scripts/web

bench: build ## measure speed, as ratios taken in one run, and write doc/performance.md
	@scripts/install doc
	@bench/run
	@.venv/bin/python scripts/performance.py

coverage: ## C++ test coverage, as a page in build-coverage/html
	@scripts/install build coverage
	@scripts/coverage

soak: build ## kill runs of every driver KILLS times and go on; move every engine STEPS steps (or SECONDS_PER_ENGINE) and look for drift
	@scripts/install test
	@scripts/build release soak_tool
	@scripts/reliability.py kills .venv/bin/python tests/restart/kill_runs.py --kills $(KILLS)
	@scripts/reliability.py soak build/tests/soak_tool $(STEPS) $(SECONDS_PER_ENGINE)

fuzz: ## give every parser damaged input for SECONDS_PER_PARSER, until there were EXECUTIONS; found inputs stay in results/fuzz
	@scripts/install build test lint
	@scripts/build asan fuzz
	@scripts/reliability.py fuzz .venv/bin/python tests/fuzz/run.py --seconds $(SECONDS_PER_PARSER) \
		--total $(EXECUTIONS) --jobs $(JOBS) --keep results/fuzz

clean: ## remove what the builds made; keeps .venv and results
	@rm -rf build build-asan build-tsan build-dev build-clang build-coverage build-mpi
