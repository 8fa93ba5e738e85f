# SPDX-License-Identifier: MIT OR Apache-2.0
"""What all tests have in common."""

import signal

# A shell's background jobs ignore interrupts, and so would the programs that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
