# Connote. `make demo` to look at it, `make test` to trust it, `make help` for the rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# A dozen processes of `make test` would each compile every file anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
PORT ?= 8000
STACK_PORT ?= 8080
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/pytest
TWO_CORES := -n 2 --dist loadfile
# What takes minutes begins first, in the order of the folders: one that begins last leaves a core idle.
IN_ORDER := $(TWO_CORES) --no-loadscope-reorder
# To collect all tests takes 25 s of each core.
BOTH_ENGINES = $$(grep -rlE 'mark\.both_engines' --include='test_*.py' tests)
# Each stage writes the times of its tests where tests/support/stages.py finds them.
TIMED = --junitxml tests/artefacts/times/$@.xml -o junit_family=xunit1
STAGES := $(BIN)/python tests/support/services.py run -- $(BIN)/python tests/support/stages.py

# Stamps carry a checksum of what they stand for: a second run does nothing, a changed pin installs anew.
REQUIREMENTS := requirements.txt backend/requirements.txt workers/requirements.txt tests/requirements.txt \
	tests/requirements-alone.txt
VENV_STAMP := $(VENV)/.installed-$(shell cat $(REQUIREMENTS) | cksum | tr ' ' '-')
NODE_STAMP := frontend/node_modules/.installed-$(shell cat frontend/package-lock.json | cksum | tr ' ' '-')
FRONTEND_SOURCES := $(shell find frontend -path frontend/node_modules -prune -o -path frontend/dist -prune -o -type f -print)
BUILT := frontend/dist/index.html
SECRET := var/secret-key

EMBEDDED = CONNOTE_SECRET_KEY="$$(cat $(SECRET))" CONNOTE_LOG_LEVEL=$${CONNOTE_LOG_LEVEL:-WARNING} CONNOTE_LOG_FORMAT=console
FOR_TOOLS := CONNOTE_SECRET_KEY=only-for-commands-that-serve-nobody-0123456789 CONNOTE_DATABASE_URL=sqlite://:memory:

# The steps of `make test` build on one another, whatever -j says, but for what a recipe starts with BESIDE: steps that
# need one core each. What each of these says comes in one piece where make is 4.0 or newer, which macOS's own is not.
IN_ONE_PIECE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
ifndef BESIDE
.NOTPARALLEL:
endif
.PHONY: help install packages frontend demo serve stack test part test-nightly machine checks lint format types contracts migrations schema examples \
	schema-check front-lint lint-nightly front-types env-example lock unit unit-nightly sqlite sqlite-nightly real-stack real-stack-nightly front browser browser-nightly running-site bench bench-import bench-candidates-import bench-gallery bench-explore bench-map bench-workbench \
	bench-parser bench-cleaning bench-encode bench-near-duplicates bench-ranking bench-retrieval gpu-check \
	bench-candidates bench-polysemy bench-postcards bench-annotation bench-agreement bench-consensus bench-dashboard bench-curation stress measure models models-missing models-figures models-english clean

help: ## Print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 26

# --- install -------------------------------------------------------------------------------------------------------

install: ## Install the virtual environment and the packages of the front end
	@$(MAKE) -j 2 BESIDE=yes packages

packages: $(VENV_STAMP) $(NODE_STAMP)
	@:

$(VENV_STAMP):
	@$(PYTHON) -c 'import sys; sys.exit("Connote needs Python 3.11 or newer: set PYTHON=python3.11." if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Python packages into $(VENV), a few minutes the first time ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r requirements.txt -r tests/requirements.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps -r tests/requirements-alone.txt
	@rm -f $(VENV)/.installed-*; touch $@

$(NODE_STAMP):
	@command -v node >/dev/null || { echo "Connote needs Node 20 or newer: install it, then run make again."; exit 1; }
	@node -e 'if (+process.versions.node.split(".")[0] < 20) { console.error("Connote needs Node 20 or newer, this is " + process.version + "."); process.exit(1) }'
	@echo "Installing the front end's packages ..."
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@rm -f frontend/node_modules/.installed-*; touch $@

frontend: $(BUILT) ## Build the front end

$(BUILT): $(NODE_STAMP) $(FRONTEND_SOURCES)
	@echo "Building the front end ..."
	@cd frontend && npm run --silent build
	@touch $@

$(SECRET):
	@mkdir -p var
	@umask 077; $(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(50))' > $@

# --- run -----------------------------------------------------------------------------------------------------------

demo: $(VENV_STAMP) $(BUILT) $(SECRET) ## Run the site with a demo project on 127.0.0.1:8000 (PORT=...)
	@$(EMBEDDED) CONNOTE_DEMO=true exec $(BIN)/python manage.py demo --port $(PORT)

serve: $(VENV_STAMP) $(BUILT) $(SECRET) ## Run the site without the demo and its accounts
	@$(EMBEDDED) $(BIN)/python manage.py migrate --no-input --verbosity 0
	@echo "Connote runs on http://127.0.0.1:$(PORT). Press Ctrl-C to stop it."
	@$(EMBEDDED) WEB_CONCURRENCY=1 exec $(BIN)/gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py --bind 127.0.0.1:$(PORT) --max-requests 0

stack: $(VENV_STAMP) $(BUILT) ## Run the services of docker-compose.yml without Docker, on 127.0.0.1:8080 (STACK_PORT=...)
	@$(BIN)/python -m deploy.stack --port $(STACK_PORT)

# --- test ----------------------------------------------------------------------------------------------------------

test: machine install ## Lint, types, contracts, unit, SQLite, front end, real stack, browser: about 15 minutes on two cores
	@$(STAGES) checks unit sqlite front running-site
	@echo "make test: everything passed."

part: machine install ## Some stages of make test: make part STAGES_TO_RUN="unit sqlite"
	@$(STAGES) $(STAGES_TO_RUN)

test-nightly: machine install ## What make test leaves out: simulations, soaks, matrices; every browser journey ten times
	@$(STAGES) lint-nightly unit-nightly sqlite-nightly real-stack-nightly browser-nightly
	@echo "make test-nightly: everything passed."

machine:
	@$(PYTHON) tests/support/machine.py

checks: install ## Check the code without running it: lint, types, contracts, schema
	@$(MAKE) -j 2 $(IN_ONE_PIECE) BESIDE=yes front-lint types front-types lint contracts migrations schema-check

lint: $(VENV_STAMP) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV_STAMP) ## Let ruff fix what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV_STAMP) ## mypy --strict
	$(BIN)/mypy

contracts: $(VENV_STAMP) ## Check which packages import which
	$(BIN)/lint-imports --no-cache

measure: $(VENV_STAMP) ## Lines of each room, functions that submit and next reach, longest import chain
	$(BIN)/python tests/architecture/measure.py

migrations: $(VENV_STAMP)
	$(FOR_TOOLS) $(BIN)/python manage.py makemigrations --check --dry-run

SCHEMA := frontend/schema.json
API_TYPES := frontend/src/lib/api/schema.d.ts
SPECTACULAR := $(FOR_TOOLS) $(BIN)/python manage.py spectacular --format openapi-json --validate --fail-on-warn
OPENAPI_TYPES := frontend/node_modules/.bin/openapi-typescript

schema: packages ## Write the schema of the API and the types of the front end again
	$(SPECTACULAR) --file $(SCHEMA)
	$(OPENAPI_TYPES) $(SCHEMA) --output $(API_TYPES)

examples: $(VENV_STAMP) ## Write the examples of the API again that are missing or unlike the real answers
	WRITE_EXAMPLES=yes CONNOTE_TEST_ENGINE=sqlite $(PYTEST) --no-migrations -k "as_in_the or as_in_its" tests/backend
	@$(MAKE) schema

schema-check: packages
	@fresh="$$(mktemp -d)"; trap 'rm -rf "$$fresh"' EXIT; \
	$(SPECTACULAR) --file "$$fresh/schema.json"; \
	$(OPENAPI_TYPES) "$$fresh/schema.json" --output "$$fresh/schema.d.ts" >/dev/null; \
	diff -u $(SCHEMA) "$$fresh/schema.json" && diff -u $(API_TYPES) "$$fresh/schema.d.ts" \
	|| { echo "The API changed, but its schema or types did not. Run make schema and commit both files."; exit 1; }

lock: ## Write the lock files with the hashes of all packages again; needs uv
	@command -v uv >/dev/null || { echo "Install uv first: pip install uv"; exit 1; }
	@for part in "backend/requirements.lock backend/requirements.txt" \
	    "workers/requirements.lock -c backend/requirements.lock backend/requirements.txt workers/requirements.txt"; do \
	    set -- $$part; file="$$1"; shift; \
	    uv pip compile --quiet --generate-hashes --python-version 3.11 --python-platform linux --no-header "$$@" --output-file "$$file"; \
	    sed -i '1i # All packages of an image with their hashes. `make lock` writes this file.' "$$file"; \
	done

env-example: $(VENV_STAMP) ## Write .env.example again from the settings
	$(FOR_TOOLS) $(BIN)/python -m deploy.env_example

unit: $(VENV_STAMP) ## The tests that need no running processes
	$(PYTEST) $(TWO_CORES) $(TIMED) --no-migrations -m "not stack and not browser and not nightly"

# Properties run in `make test`, too, with a fifth of the examples.
unit-nightly: $(VENV_STAMP)
	$(PYTEST) $(TWO_CORES) $(TIMED) --hypothesis-profile=nightly -m "(nightly or hypothesis) and not stack and not browser"

sqlite: $(VENV_STAMP) ## The tests of SQL that may differ, once more on SQLite
	CONNOTE_TEST_ENGINE=sqlite $(PYTEST) $(TWO_CORES) $(TIMED) --no-migrations -m "both_engines and not nightly" $(BOTH_ENGINES)

sqlite-nightly: $(VENV_STAMP) ## Every test of make test once more on SQLite, and those of the night whose SQL may differ
	CONNOTE_TEST_ENGINE=sqlite $(PYTEST) $(TWO_CORES) $(TIMED) --no-migrations -m "(not nightly or both_engines) and not stack and not browser"

real-stack: $(VENV_STAMP) $(BUILT) ## The tests on gunicorn, Celery workers, PostgreSQL and Redis
	$(PYTEST) $(IN_ORDER) $(TIMED) -m "stack and not browser and not nightly" tests/walk tests/architecture

real-stack-nightly: $(VENV_STAMP) $(BUILT)
	$(PYTEST) $(IN_ORDER) $(TIMED) -m "stack and nightly" tests/walk tests/architecture

front-lint: $(NODE_STAMP) ## The front end's code: ESLint, but for the slow rules
	cd frontend && CONNOTE_QUICK_LINT=yes npm run --silent lint

lint-nightly: $(NODE_STAMP)
	cd frontend && npm run --silent lint

front-types: $(NODE_STAMP) ## The front end's code: tsc
	cd frontend && npm run --silent typecheck

front: $(NODE_STAMP) ## The front end: Vitest, build, size
	cd frontend && npm run --silent test -- --reporter=default --reporter=junit --outputFile.junit=../tests/artefacts/times/front.xml
	@$(MAKE) frontend
	cd frontend && npm run --silent size

browser: $(VENV_STAMP) $(BUILT) ## The tests in a real browser
	$(PYTEST) $(IN_ORDER) $(TIMED) -m "browser and not nightly" tests/e2e

browser-nightly: $(VENV_STAMP) $(BUILT) ## The matrices in a browser once, every journey of make test ten times
	for round in {1..10}; do echo "Round $$round of 10"; $(PYTEST) $(IN_ORDER) $(TIMED) -m "browser and not nightly" tests/e2e; done
	$(PYTEST) $(IN_ORDER) $(TIMED) -m "browser and nightly" tests/e2e

# In one run: alone, the real stack leaves a core idle for half of its time.
running-site: $(VENV_STAMP) $(BUILT) ## The tests of real-stack and of browser
	$(PYTEST) $(IN_ORDER) $(TIMED) -m "(stack or browser) and not nightly" tests/walk tests/architecture tests/e2e

stress: $(VENV_STAMP) $(BUILT) ## 64 misbehaving annotators, killed workers, a restarted database, and SQL audits; then 8 on SQLite
	$(BIN)/python tests/load/stress_annotation.py
	$(BIN)/python tests/load/stress_annotation.py --engine sqlite --clients 8 --assignments 2000

# --- measure -------------------------------------------------------------------------------------------------------

bench: bench-import bench-candidates-import bench-gallery bench-explore bench-map bench-workbench bench-parser bench-cleaning bench-encode bench-near-duplicates bench-ranking bench-retrieval bench-candidates bench-polysemy bench-postcards bench-annotation bench-agreement bench-consensus bench-dashboard bench-curation ## Every benchmark

bench-import: $(VENV_STAMP) ## Images per second of the importer against a bare Pillow loop
	$(BIN)/python tests/load/bench_import.py

bench-candidates-import: $(VENV_STAMP) ## 100,000 captions against COPY and the cleaning alone
	$(BIN)/python tests/support/services.py run -- $(BIN)/python tests/load/bench_candidates_import.py

bench-gallery: $(VENV_STAMP) $(BUILT) ## Frames while 25,000 images scroll, against a plain page of images
	$(BIN)/python tests/support/services.py run -- $(BIN)/python tests/load/bench_gallery.py

bench-explore: $(VENV_STAMP) $(BUILT) ## Frames while a map of 25,000 images pans, against an empty page
	$(BIN)/python tests/support/services.py run -- $(BIN)/python tests/load/bench_explore.py

bench-map: $(VENV_STAMP) $(BUILT) ## Frames while a map of 125,000 captions pans, against an empty page
	$(BIN)/python tests/support/services.py run -- $(BIN)/python tests/load/bench_map.py

bench-workbench: $(VENV_STAMP) $(BUILT) ## Keys, memory and size of the task page over 500 tasks, with a delay of 50 ms
	$(BIN)/python tests/support/services.py run -- $(BIN)/python tests/load/bench_workbench.py
	CONNOTE_TEST_FAST_HITS=500 $(PYTEST) --durations=1 tests/e2e/test_machine_speed.py

bench-parser: $(VENV_STAMP) ## Captions per second of the parser against blank tokenisation
	$(BIN)/python tests/load/bench_parser.py

bench-cleaning: $(VENV_STAMP) ## Captions per second of the whole cleaning chain against nlp.pipe alone
	$(BIN)/python tests/load/bench_cleaning.py

bench-encode: $(VENV_STAMP) ## Images per second into shards against a bare forward loop, ladder and ViT-B/32
	$(BIN)/python tests/load/bench_encode.py

bench-near-duplicates: $(VENV_STAMP) ## Near-duplicates against a loop over all pairs and datasketch alone
	$(BIN)/python tests/load/bench_near_duplicates.py

bench-ranking: $(VENV_STAMP) ## Ranks and measures of retrieval against bare products, a full sort, ranx and eccv_caption
	$(BIN)/python tests/load/bench_ranking.py

bench-retrieval: $(VENV_STAMP) ## A million vectors searched and mapped against bare FAISS, UMAP and HDBSCAN
	$(BIN)/python tests/load/bench_retrieval.py

bench-candidates: $(VENV_STAMP) ## What retrieval finds on Postcards, and what a filter by similarity would remove
	$(BIN)/python tests/load/bench_candidates.py

bench-polysemy: $(VENV_STAMP) ## Peak memory of a polysemy report, a corpus against one ten times as large
	$(BIN)/python tests/load/bench_polysemy.py

bench-curation: $(VENV_STAMP) ## Selection, difficulty and calibration against bare calls of the same libraries
	$(BIN)/python tests/load/bench_curation.py

bench-export: $(VENV_STAMP) ## A release's tables as ratios to COPY TO, and their memory
	$(BIN)/python tests/load/bench_export.py

bench-agreement: $(VENV_STAMP) ## The agreement figures of a million answers: made and read
	$(BIN)/python tests/load/bench_agreement.py

bench-dashboard: $(VENV_STAMP) ## Each call of the head annotator's pages with a million answers, against a GROUP BY
	$(BIN)/python tests/load/bench_dashboard.py

bench-consensus: $(VENV_STAMP) ## The consensus of a million answers by each method, and its fit against crowd-kit
	$(BIN)/python tests/load/bench_consensus.py

bench-postcards: $(VENV_STAMP) ## How many of 5,000 drawn images differ byte for byte (N=100000)
	$(BIN)/python tests/load/bench_postcards.py $(N)

bench-annotation: $(VENV_STAMP) $(BUILT) ## Annotations per second of the production server against pgbench (HITS=1000000 for one more round)
	$(BIN)/python tests/load/bench_annotation.py $(if $(HITS),--million $(HITS))

# It uses its own Python and not $(VENV), which may have a torch without CUDA.
gpu-check: ## Compare the engines on this machine's GPU with its processor, and rewrite docs/gpu.md; at most 8 minutes
	@$(PYTHON) tests/gpu/prepare.py

# --- models --------------------------------------------------------------------------------------------------------

# The ladder on one core, postcards-vision and connote-en on the other. $(1) goes to the trainings, $(2) before connote-en.
# No $(MAKE) in here: a line that has one is run by `make -n`, too.
define train_models
$(BIN)/python -m workers.training.ladder --draw; \
{ $(BIN)/python -m workers.training.vision $(1) && { $(2) $(BIN)/python -m workers.training.english; }; } & beside=$$!; \
$(BIN)/python -m workers.training.ladder $(1) || { kill $$beside; exit 1; }; wait $$beside; \
echo "$@: $$((SECONDS / 60)) minutes in all."
endef

models: $(VENV_STAMP) ## Train all of workers/models again: ladder, postcards-vision, connote-en (two cores, under two hours)
	@$(call train_models,--anew,)

models-missing: $(VENV_STAMP) ## Train the models that are missing in workers/models
	@$(call train_models,,test -f workers/models/connote-en/meta.json ||)

models-figures: $(VENV_STAMP) ## Measure the ladder and postcards-vision again and rewrite their cards, without training
	$(BIN)/python -m workers.training.ladder --figures
	$(BIN)/python -m workers.training.vision --figures

models-english: $(VENV_STAMP) ## Train connote-en on the English Web Treebank in ../shared, measure it, write its card
	$(BIN)/python -m workers.training.english

clean: ## Remove all files of make, but keep `var/` with the data of the demo
	rm -rf $(VENV) frontend/node_modules frontend/dist tests/artefacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
