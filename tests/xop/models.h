/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Models of XOP's and AVX's instructions, bit by bit.
 */

static bool bit_of(const uint8_t *bytes, unsigned at)
{
    return (bytes[at / 8] >> at % 8 & 1) != 0;
}

static void set_bit(uint8_t *bytes, unsigned at)
{
    bytes[at / 8] |= (uint8_t)(1U << at % 8);
}

static void rotate_element(const uint8_t *from, uint8_t *to, unsigned bits, int count)
{
    for (unsigned i = 0; i < bits; i++) {
        if (bit_of(from, i)) {
            set_bit(to, (i + 256 + (unsigned)count) % bits);
        }
    }
}

static void model_rotate_immediate(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        rotate_element(o->a + at, d + at, bits, count);
    }
}

static void model_rotate(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned at = 0; at < 16; at += bits / 8) {
        rotate_element(o->a + at, d + at, bits, (int8_t)o->b[at]);
    }
}

/* Shifts: bit i of the result is bit i - count, or the fill bit if that is outside. */
static void shift_elements(const operands *o, uint8_t d[32], int bits, bool arithmetic)
{
    for (int at = 0; at < 16; at += bits / 8) {
        const bool sign = arithmetic && bit_of(o->a + at, (unsigned)bits - 1);
        for (int i = 0; i < bits; i++) {
            const int from = i - (int8_t)o->b[at];
            const bool bit = from >= bits ? sign : from >= 0 && bit_of(o->a + at, (unsigned)from);
            if (bit) {
                set_bit(d + at, (unsigned)i);
            }
        }
    }
}

static void model_shift_logical(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    shift_elements(o, d, (int)bits, false);
}

static void model_shift_arithmetic(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    shift_elements(o, d, (int)bits, true);
}

static void model_select(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned i = 0; i < bits; i++) {
        if (bit_of(bit_of(o->c, i) ? o->a : o->b, i)) {
            set_bit(d, i);
        }
    }
}

static void model_permute(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    for (unsigned i = 0; i < 16; i++) {
        const unsigned selector = o->c[i];
        const uint8_t *byte = (selector & 16) != 0 ? &o->b[selector & 15] : &o->a[selector & 15];
        for (unsigned k = 0; k < 8; k++) {
            bool bit = false;
            switch (selector >> 5) {
            case 0:
                bit = bit_of(byte, k);
                break;
            case 1:
                bit = !bit_of(byte, k);
                break;
            case 2:
                bit = bit_of(byte, 7 - k);
                break;
            case 3:
                bit = !bit_of(byte, 7 - k);
                break;
            case 4:
                bit = false;
                break;
            case 5:
                bit = true;
                break;
            case 6:
                bit = bit_of(byte, 7);
                break;
            default:
                bit = !bit_of(byte, 7);
                break;
            }
            if (bit) {
                set_bit(d + i, k);
            }
        }
    }
}

static uint64_t element(const uint8_t *bytes, unsigned bits)
{
    uint64_t x = 0;
    for (unsigned i = bits / 8; i-- > 0;) {
        x = x << 8 | bytes[i];
    }
    return x;
}

/* Evaluates condition lt, le, gt, ge, eq, neq, false or true. */
static bool holds(bool less, bool equal, int condition)
{
    switch (condition) {
    case 0:
        return less;
    case 1:
        return less || equal;
    case 2:
        return !less && !equal;
    case 3:
        return !less;
    case 4:
        return equal;
    case 5:
        return !equal;
    default:
        return condition == 7;
    }
}

static void model_compare_unsigned(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        const uint64_t a = element(o->a + at, bits);
        const uint64_t b = element(o->b + at, bits);
        memset(d + at, holds(a < b, a == b, count) ? 0xff : 0, bits / 8);
    }
}

static void model_compare_signed(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        const uint64_t a = element(o->a + at, bits);
        const uint64_t b = element(o->b + at, bits);
        const bool a_negative = a >> (bits - 1) != 0;
        const bool less = a_negative == b >> (bits - 1) ? a < b : a_negative;
        memset(d + at, holds(less, a == b, count) ? 0xff : 0, bits / 8);
    }
}

static void model_add(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned at = 0; at < 16; at += bits / 8) {
        unsigned carry = 0;
        for (unsigned i = at; i < at + bits / 8; i++, carry >>= 8) {
            carry += o->a[i] + (unsigned)o->b[i];
            d[i] = (uint8_t)carry;
        }
    }
}

static void model_xor(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    for (unsigned i = 0; i < 16; i++) {
        d[i] = o->a[i] ^ o->b[i];
    }
}

/* Interleaves elements of a and b from byte `first` on. */
static void model_unpack(const operands *o, uint8_t d[32], unsigned bits, int first)
{
    const unsigned bytes = bits / 8;
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *from = i / bytes % 2 == 0 ? o->a : o->b;
        d[i] = from[(unsigned)first + i / (2 * bytes) * bytes + i % bytes];
    }
}

static void model_align(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    for (int i = count; i < 32 && i < count + 16; i++) {
        d[i - count] = i < 16 ? o->b[i] : o->a[i - 16];
    }
}

static void model_shuffle(const operands *o, uint8_t d[32], unsigned bits, int order)
{
    (void)bits;
    for (unsigned i = 0; i < 16; i++) {
        d[i] = o->b[4 * ((unsigned)order >> i / 4 * 2 & 3) + i % 4];
    }
}

static void model_move(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    memcpy(d, o->b, 16);
}
