; SPDX-License-Identifier: MIT OR Apache-2.0
; ----------------------------------------------------------------------------
; BLAKE-256 for 8-bit AVR, 14 rounds, without salt
;
; h = compress(h, m, 0, t) for each block m of 64 bytes (BLAKE specification, section 2.1)
;
;    void fin_avr_blake256_init(void);
;    void fin_avr_blake256_blocks(const uint8_t *blocks, uint16_t count);
;    void fin_avr_blake256_final(uint8_t digest[32], const uint8_t *rest, uint16_t rest_bits);
;
; avr-gcc's calling convention: arguments in r24:r25, r22:r23, r20:r21; r2-r17, r28, r29 and r1 = 0
; are kept. blake_round.inc lists the use of registers. Needs mul.
;
; RAM: block 64, h 32, counter 8, v 64
; blake256                 cycles/byte 318.38, RAM 168 + 26 = 194, flash 3452
;
; Cycles are those of a long message, RAM is static + stack, all in bytes; every test run compares the
; figures with these. The time is the same for all messages of a length.
;
; Limits: finalist_avr.h.
; ----------------------------------------------------------------------------

#define FIN_STEM fin_avr_blake256_
#define FIN_BLAKE2 0

; v12, v13 ^= t0, v14, v15 ^= t1; with T set the counter is left out: the block contains no bit of the
; message.
.macro mix_counter
        brts    1f
.irp i, 48, 49, 50, 51, 56, 57, 58, 59
        ld      A, X+
        ldd     B, Y+\i
        eor     B, A
        std     Y+\i, B
        ldd     B, Y+\i+4
        eor     B, A
        std     Y+\i+4, B
.endr
1:
.endm

#include "blake_round.inc"

; void init(void)
function FIN_NAME(init)
        start_h
        ret
        .size   FIN_NAME(init), . - FIN_NAME(init)

; void final(uint8_t *digest [r24], const uint8_t *rest [r22], uint16_t rest_bits [r20])
;
; The padding begins with a bit 1 and ends with a bit 1 and the length, 65 bits: after 447 bits or
; more of the message another block is needed. T is set for a block without a bit of the message.
function FIN_NAME(final)
        save_registers 17
        andi    21, 1
        rcall   add_to_t
        split_bits
        load_address X, fin_block
        pad_rest
        clt
        mov     0, 20
        or      0, 21
        brne    1f
        set
1:      push    24
        push    25
        ldi     18, 7
        cpi     20, 55
        brlo    3f
        brne    2f
        cp      21, 18
        brlo    3f
2:      load_address Z, fin_block
        rcall   compress
        load_address X, fin_block
        clear_block
        set
3:      lds     0, fin_block+55
        ldi     18, 1
        or      0, 18
        sts     fin_block+55, 0
        load_address X, fin_block+64
        load_address Z, fin_t
        ldi     18, 8
4:      ld      0, Z+
        st      -X, 0
        dec     18
        brne    4b
        load_address Z, fin_block
        rcall   compress
        pop     ZH
        pop     ZL
        load_address X, fin_h
        ldi     18, 8
5:
.irp i, 0, 1, 2, 3
        ld      A+\i, X+
.endr
.irp i, 3, 2, 1, 0                      ; big-endian
        st      Z+, A+\i
.endr
        dec     18
        brne    5b
        restore_registers 17
        ret
        .size   FIN_NAME(final), . - FIN_NAME(final)
