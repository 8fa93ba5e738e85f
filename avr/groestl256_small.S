; SPDX-License-Identifier: MIT OR Apache-2.0
; ----------------------------------------------------------------------------
; Groestl-256 for 8-bit AVR, small
;
; h  = P(h + m) + Q(m) + h      for each block m of 64 bytes
; digest = last half of P(h) + h
;
;    void fin_avr_groestl256_init(void);
;    void fin_avr_groestl256_blocks(const uint8_t *blocks, uint16_t count);
;    void fin_avr_groestl256_final(uint8_t digest[32], const uint8_t *rest, uint16_t rest_bits);
;
; With FIN_TWEAKED=0: Groestl-0-256, fin_avr_groestl0_256_*.
;
; Unrolled: a column of P and of Q. One state, changed in place. S-box in flash, and a second one for Q
; with complemented index.
;
; avr-gcc's calling convention: arguments in r24:r25, r22:r23, r20:r21; r2-r17, r28, r29 and r1 = 0
; are kept. groestl_steps.inc lists the use of registers.
;
; RAM: h 64, state 64, count 4; the linker must place them at the start of a page of 256
; groestl256               cycles/byte 478.83, RAM 132 + 20 = 152, flash 1888
; groestl0-256             cycles/byte 475.86, RAM 132 + 20 = 152, flash 1656
;
; Cycles are those of a long message, RAM is static + stack, all in bytes; every test run compares the
; figures with these. The time is the same for all messages of a length.
;
; Limits: finalist_avr.h.
; ----------------------------------------------------------------------------

#define FIN_TABLE_IN_RAM 0
#include "groestl_walk.inc"
