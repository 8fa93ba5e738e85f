# SPDX-License-Identifier: MIT OR Apache-2.0
# Archives of a release and packages of distributions.

# Python packages that the packaging checks need.
build/packaging/installed: packaging/requirements.txt
	$(PYTHON) -m venv build/packaging
	build/packaging/bin/pip install --quiet --requirement packaging/requirements.txt
	touch $@

## sbom: write a bill of materials
sbom: needs-packaging build/packaging/installed
	build/packaging/bin/python packaging/sbom.py build/finalist.cdx.json

# Runs each check that this machine can run; BASE is the commit whose programs must still run.
## test-packaging: run all packaging checks that this machine can run
test-packaging:
	-tools/install_needs.sh packaging
	-$(MAKE) build/packaging/installed
	packaging/test.sh $(BASE)

# Makes the archives of a release in build/dist twice; they must be identical.
build/dist-tools/installed: tools/dist-requirements.txt
	$(PYTHON) -m venv build/dist-tools
	build/dist-tools/bin/pip install --quiet --requirement tools/dist-requirements.txt
	touch $@

## dist: make the archives of a release twice and compare them
dist: needs-test build/dist-tools/installed
	rm -rf build/dist
	for run in first second; do \
	  PATH=$(abspath build/dist-tools/bin):$$PATH tools/dist.sh build/dist/$$run || exit 1; done
	diff -r build/dist/first build/dist/second
	mv build/dist/first/* build/dist && rm -r build/dist/first build/dist/second

.PHONY: dist sbom test-packaging
