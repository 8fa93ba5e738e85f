# SPDX-License-Identifier: MIT OR Apache-2.0
# The wheels of a release.

# Wheels for glibc 2.17 and for musl 1.2: one for all CPythons of an architecture, and one for the
# free-threaded CPython 3.14.
WHEELS_ENV = build/wheels
RELEASE_WHEEL = PATH=$(abspath $(WHEELS_ENV))/bin:$$PATH $(MATURIN_BUILD) --zig --target $1 \
  --out $(or $2,$(WHEELS_ENV)/out) \
  --compatibility $(if $(findstring musl,$1),musllinux_1_2,manylinux2014)

$(WHEELS_ENV)/installed: python/requirements-wheels.txt | needs-wheels
	$(PYTHON) -m venv $(WHEELS_ENV)
	$(WHEELS_ENV)/bin/pip install --quiet --requirement python/requirements-wheels.txt
	touch $@

$(WHEEL_TARGETS:%=wheels-%): wheels-%: $(WHEELS_ENV)/installed
	$(call RELEASE_WHEEL,$*)

wheels-free-threaded: $(WHEELS_ENV)/installed
	$(call RELEASE_WHEEL,x86_64-unknown-linux-gnu) --no-default-features -i python3.14t

## wheels: build the wheels of a release
wheels: $(WHEEL_TARGETS:%=wheels-%) wheels-free-threaded
	$(WHEELS_ENV)/bin/python python/tests/check_wheels.py $(WHEELS_ENV)/out

# Tests of the wheel alone: without the pages' examples, engines and files.
WHEEL_TESTS = -m 'not slow' $(patsubst %,python/tests/test_%.py,column cpython hashlib hostile merkle \
  process ranges rows threads vectors)

# Tests the wheel for aarch64 under qemu, with Debian's Python for that architecture. Takes minutes.
## test-wheel-aarch64: test the wheel for aarch64 under qemu
test-wheel-aarch64: needs-cross wheels-aarch64-unknown-linux-gnu $(PYTHON_ENV)/installed
	FINALIST_EXAMPLES=5 tools/test_wheel_aarch64.sh build/wheel-aarch64 $(PYTHON_ENV)/bin/pip \
	  $(WHEELS_ENV)/out/*manylinux*aarch64.whl -m 'not slow' \
	  $(foreach t,column hashlib hostile merkle rows vectors,python/tests/test_$t.py)

# Tests the wheel for musl on x86-64 in a CPython built for musl.
build/python-musl/installed: tools/build_python.sh $(WHEELS_ENV)/installed
	PATH=$(abspath $(WHEELS_ENV))/bin:$$PATH tools/build_python.sh musl build/python-musl
	touch $@

## test-wheel-musl: test the wheel for musl
test-wheel-musl: build/python-musl/installed wheels-x86_64-unknown-linux-musl
test-wheel-musl: $(PYTHON_ENV)/installed
	FINALIST_EXAMPLES=15 tools/test_wheel_built.sh build/python-musl $(PYTHON_ENV)/bin/pip \
	  $(WHEELS_ENV)/out/*musllinux*x86_64.whl $(WHEEL_TESTS)

# Tests the free-threaded wheel in the free-threaded CPython that can be built here. PyO3 promises to
# work from 3.14 on, but also works with 3.13.
FREE_THREADED = build/python-free-threaded
$(FREE_THREADED)/installed: tools/build_python.sh
	tools/build_python.sh free-threaded $(FREE_THREADED)
	touch $@

## test-wheel-free-threaded: test the wheel for free-threaded CPython
test-wheel-free-threaded: $(FREE_THREADED)/installed $(WHEELS_ENV)/installed
test-wheel-free-threaded: $(PYTHON_ENV)/installed
	rm -rf $(FREE_THREADED)/wheels
	UNSAFE_PYO3_SKIP_VERSION_CHECK=1 $(call RELEASE_WHEEL,x86_64-unknown-linux-gnu,$(FREE_THREADED)/wheels) \
	  --no-default-features -i $(abspath $(FREE_THREADED))/prefix/bin/python3
	FINALIST_EXAMPLES=15 tools/test_wheel_built.sh $(FREE_THREADED) $(PYTHON_ENV)/bin/pip \
	  $(FREE_THREADED)/wheels/*t-manylinux*.whl $(WHEEL_TESTS)

.PHONY: wheels wheels-free-threaded $(WHEEL_TARGETS:%=wheels-%)
.PHONY: test-wheel-aarch64 test-wheel-musl test-wheel-free-threaded
