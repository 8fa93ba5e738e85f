# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constants, tables, masks and message schedules: tools/gen.py writes their files into core/gen."""
