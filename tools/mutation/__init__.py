# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parts of tools/mutants.py: operators (which faults a source allows), areas (how a part of
the project is built and tested), survivors (the list of those that no test can see)."""
