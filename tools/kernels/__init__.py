# SPDX-License-Identifier: MIT OR Apache-2.0
"""Generators of kernels in assembly: tools/gen.py writes their files into core/asm."""
