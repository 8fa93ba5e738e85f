# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tools/mutants.py consists of: operators (which faults a source allows), areas (how a part of
the project is built and tested), survivors (the list of those that no test can see)."""
