# The commands to remember. Everything is installed into .venv, from locked requirements.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help install demo test check contract clients bench lock clean

help:
	@echo "make demo      serve a preview organization on port 8000, with nothing else installed"
	@echo "make test      run the whole test suite against servers of its own"
	@echo "make check     lint, types, import contracts, SQL"
	@echo "make contract  lint the OpenAPI document (needs node)"
	@echo "make clients   try the MCP endpoint with every official client (needs node)"
	@echo "make bench     measure speed against peers"
	@echo "make install   everything for development into .venv"
	@echo "make lock      resolve the locked requirements anew"

install: $(VENV)/dev.stamp

demo: $(VENV)/demo.stamp
	@$(BIN)/orgctx demo

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/house -q

contract: $(VENV)/dev.stamp
	$(BIN)/python -m orgctx.openapi > tests/openapi/lint/openapi.json
	cd tests/openapi/lint && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent lint

clients: $(VENV)/dev.stamp
	ORGCTX_TEST_REQUIRE_CLIENTS=1 $(BIN)/python -m pytest tests/mcp/test_python_clients.py tests/mcp/clients/node_clients.py

bench: $(VENV)/dev.stamp
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[bench]"
	$(BIN)/python -m bench.compare --scale full

lock: $(VENV)/dev.stamp
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --python-version 3.11 setup.cfg -o deploy/requirements.txt
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --python-version 3.11 --extra demo setup.cfg -c deploy/requirements.txt -o deploy/requirements-demo.txt
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --python-version 3.11 --extra demo --extra dev setup.cfg -c deploy/requirements-demo.txt -o deploy/requirements-dev.txt

clean:
	rm -rf $(VENV) .orgctx build *.egg-info

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: setup.cfg deploy/requirements-demo.txt | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r deploy/requirements-demo.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: setup.cfg deploy/requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r deploy/requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $(VENV)/demo.stamp $@
