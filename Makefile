# The commands to remember. Everything is installed into .venv, from locked requirements.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AUDIT := $(VENV)/audit
MINUTES ?= 10
SCALE ?= small
PIP = -m pip install -q --disable-pip-version-check
# Some images set it; then each of the hundred processes that tests start compiles every module.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
LOCK := $(BIN)/uv pip compile -q --universal --fork-strategy fewest --generate-hashes --no-header --python-version 3.11

.PHONY: help install page demo test test-thorough fast coverage test-system test-slow check contract clients bench bench-quick soak gameday audit sbom release freeze snapshots examples vendor site lock clean

help:
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "make %-15s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(VENV)/dev.stamp ## everything for development into .venv

demo: $(VENV)/demo.stamp ## serve a preview organization on port 8000 (PORT=8000), with nothing else installed (PYTHON=python3)
	@$(BIN)/orgctx demo $(if $(PORT),--port $(PORT))

test: $(VENV)/dev.stamp ## run the test suite against servers of its own; T=tests/cli a part of it, T=--lf what failed
	$(PYTEST) $(T)

test-thorough: $(VENV)/dev.stamp ## what make test only samples: exhaustive and random tests, and servers that fail
	ORGCTX_TEST_EXAMPLES=$${ORGCTX_TEST_EXAMPLES:-1} $(PYTEST) -m "(thorough or hypothesis) and not system" $(T)

fast: $(VENV)/dev.stamp ## checks of under a minute: structure, snapshots, authority, tenancy; names the file of a forgotten step
	$(BIN)/ruff check -q
	$(BIN)/lint-imports > /dev/null || $(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile -q --tb=short tests/architecture tests/openapi/test_document.py \
		--deselect tests/architecture/test_imports.py::test_start_imports_only_what_it_needs \
		tests/contract/test_section_2_resources.py \
		tests/contract/test_section_5_authentication.py tests/mcp/test_admission.py \
		tests/reliability/test_mutations.py tests/reliability/test_tenancy.py \
		tests/page/test_files.py::test_bundle_is_of_these_sources $(T)

coverage: $(VENV)/dev.stamp ## make test with its thorough tests, and what they do not reach
	$(BIN)/coverage erase
	-$(BIN)/coverage run -m pytest -n 3 --dist loadfile -q -m "not system" $(T)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

test-system: $(VENV)/dev.stamp ## what needs more than Python: Debian's packages of .ci/packages.txt
	$(PYTEST) -n 5 -m system $(T)  # most of them wait for other programs

test-slow: $(VENV)/dev.stamp ## test-thorough and test-system at once, which takes less time; .ci/run does it
	ORGCTX_TEST_EXAMPLES=1 $(PYTEST) -n 4 -m "thorough or hypothesis or system" $(T)

check: $(VENV)/dev.stamp ## lint, types and import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

contract: $(VENV)/dev.stamp ## lint the OpenAPI document (needs node)
	@mkdir -p dist
	$(BIN)/python -m orgctx.openapi > dist/openapi.json
	cd tests/openapi/lint && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent lint

clients: $(VENV)/dev.stamp ## try official clients and agents (needs node)
	ORGCTX_TEST_REQUIRE_CLIENTS=1 $(BIN)/python -m pytest -m "system or not system" tests/mcp/test_python_clients.py tests/mcp/clients/node_clients.py \
		tests/mcp/clients/snippets.py

bench-quick: $(VENV)/dev.stamp ## compare six requests with the peers (minutes; SCALE=small)
	$(BIN)/python $(PIP) -e ".[bench]"
	$(BIN)/python -m bench.compare --scale $(SCALE) --quick --with granian

bench: $(VENV)/dev.stamp ## run all benches and write the results to dist/bench (hours)
	$(BIN)/python $(PIP) -e ".[bench]"
	@mkdir -p dist/bench
	$(BIN)/python -m bench.compare --scale full --with granian
	$(BIN)/python -m bench.statements --scale full > dist/bench/statements.txt
	$(BIN)/python -m gevent.monkey --module bench.hostile > dist/bench/hostile.txt
	set -e; for file in imports.md scale.md neighbor.txt start.txt agents.md; do \
		$(BIN)/python -m bench.$${file%.*} > dist/bench/$$file; done

soak: $(VENV)/dev.stamp ## check every answer under ten minutes of mixed load (MINUTES=10)
	$(BIN)/python -m tests.soak --minutes $(MINUTES)

gameday: $(VENV)/dev.stamp ## kill and restart each part of a fleet under load (MINUTES=10; needs nginx)
	$(BIN)/python -m tests.gameday --minutes $(MINUTES)

audit: $(VENV)/audit.stamp ## look every locked package up in an advisory service
	@# Without markers, because an image may need what this machine does not; --strict, because an unknown package is not safe.
	@sed 's/ ; .* \\$$/ \\/' deploy/requirements*.txt > $(AUDIT)/locked.txt
	@$(AUDIT)/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r $(AUDIT)/locked.txt $(OPTIONS)

sbom: $(VENV)/audit.stamp ## write the bill of materials to dist/
	@mkdir -p dist
	@PATH="$(abspath $(AUDIT))/bin:$$PATH" deploy/sbom.sh dist/orgctx.cdx.json

release: $(VENV)/demo.stamp $(VENV)/audit.stamp ## everything that a release publishes, to dist/release (needs buildah and a base image)
	@PATH="$(abspath $(BIN)):$(abspath $(AUDIT))/bin:$$PATH" deploy/release.sh dist/release

freeze: $(VENV)/dev.stamp ## release the migrations: write their checksums, and a database that a test upgrades
	cd sql/schema && sha256sum --check --quiet released.sha256 && sha256sum *.sql > released.sha256
	ORGCTX_UPDATE_SNAPSHOTS=1 $(BIN)/python -m pytest -q -m thorough tests/reliability/test_upgrade.py

snapshots: $(VENV)/dev.stamp ## write what the world sees to tests/snapshots, docs and deploy
	ORGCTX_UPDATE_SNAPSHOTS=1 $(BIN)/python -m pytest -q tests/architecture/test_snapshots.py
	ORGCTX_UPDATE_SNAPSHOTS=1 $(BIN)/python -m pytest -q tests/deploy/test_chart.py

examples: $(VENV)/dev.stamp ## take the examples of the contract from the demo
	ORGCTX_UPDATE_SNAPSHOTS=1 $(BIN)/python -m pytest -q -m "thorough or not thorough" tests/demo/test_examples.py

vendor: ## fetch the libraries of the page from npm and check them (needs npm)
	$(PYTHON) deploy/vendor.py $(OPTIONS)

page: ## bundle the page after a change of orgctx/page/static (needs npm)
	cd deploy/page && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent build

site: $(VENV)/dev.stamp ## build the documentation to dist/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lock: $(VENV)/dev.stamp ## resolve the locked requirements again
	$(LOCK) setup.cfg -o deploy/requirements.txt
	$(LOCK) --extra importers setup.cfg -c deploy/requirements.txt -o deploy/requirements-importers.txt
	$(LOCK) --extra demo setup.cfg -c deploy/requirements-importers.txt -o deploy/requirements-demo.txt
	$(LOCK) --no-generate-hashes --no-annotate --extra demo --extra granian --extra oidc setup.cfg \
		-c deploy/requirements-demo.txt -o orgctx/constraints.txt
	$(LOCK) --extra demo --extra dev --extra docs --extra oidc setup.cfg -c orgctx/constraints.txt -o deploy/requirements-dev.txt
	$(LOCK) --extra oidc setup.cfg -c orgctx/constraints.txt -o deploy/requirements-desk.txt
	$(LOCK) deploy/requirements-audit.in -o deploy/requirements-audit.txt
	$(LOCK) deploy/requirements-build.in -o deploy/requirements-build.txt

clean:
	rm -rf $(VENV) .orgctx build dist *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(PYTHON) is older than Python 3.11. Name another: make $(MAKECMDGOALS) PYTHON=python3.13")'
	@echo "Installing into $(VENV); the first time takes about a minute."
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

# demo.stamp, or dev.stamp, which installs all of it, too.
$(VENV)/%.stamp: setup.cfg deploy/requirements-%.txt deploy/requirements-build.txt | $(BIN)/python
	@$(BIN)/python $(PIP) --require-hashes -r deploy/requirements-build.txt
	@$(BIN)/python $(PIP) --require-hashes -r deploy/requirements-$*.txt
	@$(BIN)/python $(PIP) --no-deps --no-build-isolation -e .
	@touch $(VENV)/demo.stamp $@

$(VENV)/audit.stamp: deploy/requirements-audit.txt | $(BIN)/python
	$(BIN)/python -m venv --without-pip $(AUDIT)
	$(BIN)/python -m pip --python $(AUDIT) install -q --disable-pip-version-check --require-hashes -r deploy/requirements-audit.txt
	@touch $@
