/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Emulates XOP instructions (AMD, Bulldozer to Excavator) on x86 CPUs that have AVX but not XOP:
 * each one raises SIGILL, and a handler computes it on the saved registers and continues after it.
 * Linux, 32 and 64 bits. After AMD64 Architecture Programmer's Manual, volume 6.
 *
 * Covers vprotb/w/d/q with immediate and variable counts, vpshlb/w/d/q, vpshab/w/d/q, vpperm,
 * vpcomb/w/d/q and vpcomub/w/d/q, and vpcmov of 128 and 256 bits: the instructions that compilers
 * make for this library. Any other one, and a shift by an element's full width, which the manual
 * does not define, is named on stderr and ends the process as it would without the emulator.
 *
 * A signal costs a hundred times as much as an instruction, so the handler also computes the most
 * common AVX instructions of 128 bits that follow.
 */
#ifndef FINALIST_TESTS_XOP_EMULATOR_H
#define FINALIST_TESTS_XOP_EMULATOR_H

/* Takes over SIGILL. May be called more than once. */
void xop_emulate(void);

/* Returns the number of XOP instructions emulated so far. */
unsigned long xop_emulated(void);

/* Returns the number of AVX instructions computed after them. */
unsigned long xop_followed(void);

#endif
