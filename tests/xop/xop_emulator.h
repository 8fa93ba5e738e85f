/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * XOP instructions (AMD, Bulldozer to Excavator) on x86 CPUs that have AVX but not XOP: there each
 * of them raises SIGILL, and a handler computes it on the saved registers and goes on behind it.
 * Linux, 32 and 64 bits. After AMD64 Architecture Programmer's Manual, volume 6.
 *
 * Known are vprotb/w/d/q with immediate and variable counts, vpshlb/w/d/q, vpshab/w/d/q, vpperm,
 * vpcomb/w/d/q and vpcomub/w/d/q, and vpcmov of 128 and 256 bits: what compilers make of this
 * library. Anything else, and a shift by as much as an element is wide, of which the manual does
 * not speak, is named on stderr and ends the process as it would have without the emulator.
 *
 * A signal costs a hundred times what an instruction does, so the handler also computes the
 * commonest AVX instructions of 128 bits where they follow.
 */
#ifndef FINALIST_TESTS_XOP_EMULATOR_H
#define FINALIST_TESTS_XOP_EMULATOR_H

/* Takes over SIGILL. More than one call does no harm. */
void xop_emulate(void);

/* The number of XOP instructions that were emulated. */
unsigned long xop_emulated(void);

/* And of AVX behind them. */
unsigned long xop_followed(void);

#endif
