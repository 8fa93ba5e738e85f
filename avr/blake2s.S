; SPDX-License-Identifier: MIT OR Apache-2.0
; ----------------------------------------------------------------------------
; BLAKE2s for 8-bit AVR
;
; h = F(h, m, t, last) for each block m of 64 bytes (RFC 7693, section 3.2)
;
;    void fin_avr_blake2s_init(uint8_t digest_bytes, uint8_t key_bytes);
;    void fin_avr_blake2s_blocks(const uint8_t *blocks, uint16_t count);
;    void fin_avr_blake2s_final(uint8_t *digest, const uint8_t *rest, uint8_t rest_bytes);
;
; avr-gcc's calling convention: arguments in r24:r25, r22:r23, r20:r21; r2-r17, r28, r29 and r1 = 0
; are kept. blake_round.inc lists the use of registers. Needs mul.
;
; RAM: block 64, h 32, counter 8, v 64, length of the digest 1
; blake2s                  cycles/byte 191.75, RAM 169 + 26 = 195, flash 2416
;
; Cycles are those of a long message, RAM is static + stack, all in bytes; every test run compares the
; figures with these. The time is the same for all messages of a length.
;
; Limits: finalist_avr.h.
; ----------------------------------------------------------------------------

#define FIN_STEM fin_avr_blake2s_
#define FIN_BLAKE2 1

; v12, v13 ^= t; with T set v14 is complemented: this is the last block
.macro mix_counter
.irp i, 48, 49, 50, 51, 52, 53, 54, 55
        ld      A, X+
        ldd     B, Y+\i
        eor     A, B
        std     Y+\i, A
.endr
        brtc    1f
.irp i, 56, 57, 58, 59
        ldd     A, Y+\i
        com     A
        std     Y+\i, A
.endr
1:
.endm

#include "blake_round.inc"
#define fin_digest_bytes fin_block+168

; void init(uint8_t digest_bytes [r24], uint8_t key_bytes [r22])
function FIN_NAME(init)
        start_h
        cpi     24, 32+1
        brlo    3f
        ldi     24, 32
3:      cpi     22, 32+1
        brlo    4f
        ldi     22, 32
4:      sts     fin_digest_bytes, 24
        load_address Z, fin_h           ; h0 += the first word of the parameter block
        ld      0, Z
        eor     0, 24
        st      Z, 0
        ldd     0, Z+1
        eor     0, 22
        std     Z+1, 0
        ldi     18, 1                   ; fanout and depth
        ldd     0, Z+2
        eor     0, 18
        std     Z+2, 0
        ldd     0, Z+3
        eor     0, 18
        std     Z+3, 0
        ret
        .size   FIN_NAME(init), . - FIN_NAME(init)

; void final(uint8_t *digest [r24], const uint8_t *rest [r22], uint8_t rest_bytes [r20])
function FIN_NAME(final)
        save_registers 17
        cpi     20, 64+1
        brlo    1f
        ldi     20, 64
1:      ldi     21, 0
        rcall   add_to_t
        load_address X, fin_block
        movw    ZL, 22
        ldi     18, 64
        sub     18, 20                  ; zeros to append
        rjmp    3f
2:      ld      0, Z+
        st      X+, 0
        dec     20
3:      tst     20
        brne    2b
        rjmp    5f
4:      st      X+, 1
        dec     18
5:      tst     18
        brne    4b
        load_address Z, fin_block
        push    24
        push    25
        set
        rcall   compress
        pop     ZH
        pop     ZL
        load_address X, fin_h
        lds     18, fin_digest_bytes
        rjmp    7f
6:      ld      0, X+
        st      Z+, 0
        dec     18
7:      tst     18
        brne    6b
        restore_registers 17
        ret
        .size   FIN_NAME(final), . - FIN_NAME(final)
