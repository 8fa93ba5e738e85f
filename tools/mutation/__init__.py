# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parts of tools/mutants.py: operators (the faults that a source allows), areas (how a part of the
project is built and tested), survivors (the list of faults that no test can see)."""
