/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * See xop_emulator.h. An instruction is
 *
 *   8f | R X B map | W vvvv L pp | opcode | modrm [sib] [displacement] [immediate]
 *
 * with R, X, B and vvvv inverted. Instructions of map 8 have an immediate, those of map 9 none.
 * With c4 instead of 8f and maps 1 to 3 it is an AVX instruction, which may also be
 * c5 | R vvvv L pp | opcode ..
 */
#define _GNU_SOURCE 1
#include "xop_emulator.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "decode.h"

/* ---- Operations of the instructions ---- */

enum { ROTATE, SHIFT_LOGICAL, SHIFT_ARITHMETIC };

static uint64_t shift_left(uint64_t x, unsigned bits, unsigned count)
{
    const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return x << count & all;
}

/* Rotates or shifts left if count > 0, else right. Returns false where the manual is silent. */
static bool turn(uint64_t *x, unsigned bits, int count, int kind)
{
    const unsigned n = (unsigned)(count < 0 ? -count : count);
    const bool negative = (*x >> (bits - 1) & 1) != 0;
    if (kind == ROTATE) {
        const unsigned left = (unsigned)count & (bits - 1);
        *x = left == 0 ? *x : shift_left(*x, bits, left) | *x >> (bits - left);
        return true;
    }
    if (n >= bits) {
        return false;
    }
    if (count >= 0) {
        *x = shift_left(*x, bits, n);
    } else if (kind == SHIFT_ARITHMETIC && negative) {
        *x = *x >> n | shift_left(~UINT64_C(0), bits, bits - n);
    } else {
        *x >>= n;
    }
    return true;
}

/* Applies turn() to each element; its count is the first byte of its own count element. */
static bool turn_elements(vector *to, const vector *source, const vector *counts, unsigned bytes,
                          int kind)
{
    for (unsigned at = 0; at < 16; at += bytes) {
        uint64_t x = 0;
        memcpy(&x, source->byte + at, bytes);
        if (!turn(&x, 8 * bytes, (int8_t)counts->byte[at], kind)) {
            return false;
        }
        memcpy(to->byte + at, &x, bytes);
    }
    return true;
}

/* Applies a selector: the index of one of 32 bytes, and an operation on it. */
static uint8_t permuted_byte(const vector *a, const vector *b, uint8_t selector)
{
    const unsigned from = selector & 31;
    const uint8_t byte = from < 16 ? a->byte[from] : b->byte[from - 16];
    const uint8_t sign = (byte & 0x80) != 0 ? 0xff : 0x00;
    uint8_t reversed = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        reversed = (uint8_t)(reversed << 1 | (byte >> bit & 1));
    }
    const uint8_t results[4] = {byte, reversed, 0x00, sign};
    const uint8_t inverted = (selector & 0x20) != 0 ? 0xff : 0x00;
    return results[selector >> 6] ^ inverted;
}

/* Computes vpcmov and vpperm, whose third source may be in memory instead of the second. */
static void compute_three(const machine *m, const instruction *i, vector *to)
{
    const vector first = read_register(m, i->vvvv);
    const vector named = read_register(m, (i->immediate >> 4) & (REGISTERS - 1));
    const vector other = read_rm(m, i);
    const vector *second = i->w ? &named : &other;
    const vector *third = i->w ? &other : &named;
    for (unsigned k = 0; k < (i->l ? 32 : 16); k++) {
        to->byte[k] =
            i->opcode == 0xa3
                ? permuted_byte(&first, second, third->byte[k])
                : (uint8_t)((first.byte[k] & third->byte[k]) | (second->byte[k] & ~third->byte[k]));
    }
}

/* Compares a and b by XOP's condition: less, equal, greater and their combinations. */
static bool compare(uint64_t a, uint64_t b, unsigned condition)
{
    const bool results[8] = {a<b, a <= b, a> b, a >= b, a == b, a != b, false, true};
    return results[condition & 7];
}

static void compare_elements(const machine *m, const instruction *i, vector *to)
{
    const vector a = read_register(m, i->vvvv);
    const vector b = read_rm(m, i);
    const unsigned bytes = 1U << (i->opcode & 3);
    const uint64_t sign = i->opcode < 0xe0 ? UINT64_C(1) << (8 * bytes - 1) : 0;
    for (unsigned at = 0; at < 16; at += bytes) {
        uint64_t left = 0;
        uint64_t right = 0;
        memcpy(&left, a.byte + at, bytes);
        memcpy(&right, b.byte + at, bytes);
        memset(to->byte + at, compare(left ^ sign, right ^ sign, i->immediate) ? 0xff : 0, bytes);
    }
}

static bool compute_xop(const machine *m, const instruction *i, vector *to)
{
    if (i->map == 8 && (i->opcode == 0xa2 || (i->opcode == 0xa3 && !i->l))) {
        compute_three(m, i, to);
        return true;
    }
    if (i->l) {
        return false;
    }
    if (i->map == 8 && !i->w && (i->opcode & 0xdc) == 0xcc) {
        compare_elements(m, i, to);
        return true;
    }
    const unsigned bytes = 1U << (i->opcode & 3);
    const vector rm = read_rm(m, i);
    vector other;
    if (i->map == 8 && i->opcode >= 0xc0 && i->opcode <= 0xc3) {
        memset(&other, i->immediate, sizeof other);
        return !i->w && i->vvvv == 0 && turn_elements(to, &rm, &other, bytes, ROTATE);
    }
    if (i->map == 9 && i->opcode >= 0x90 && i->opcode <= 0x9b) {
        other = read_register(m, i->vvvv);
        return turn_elements(to, i->w ? &other : &rm, i->w ? &rm : &other, bytes,
                             (i->opcode - 0x90) / 4);
    }
    return false;
}

/* Interleaves: `bytes` bytes of a from `first` on, the same number of b, and so on. */
static void interleave(vector *to, const vector *a, const vector *b, unsigned first, unsigned bytes)
{
    for (unsigned at = 0; at < 16; at += 2 * bytes, first += bytes) {
        memcpy(to->byte + at, a->byte + first, bytes);
        memcpy(to->byte + at + bytes, b->byte + first, bytes);
    }
}

static void add_elements(vector *to, const vector *a, const vector *b, unsigned bytes)
{
    for (unsigned at = 0; at < 16; at += bytes) {
        uint64_t x = 0;
        uint64_t y = 0;
        memcpy(&x, a->byte + at, bytes);
        memcpy(&y, b->byte + at, bytes);
        x += y;
        memcpy(to->byte + at, &x, bytes);
    }
}

/* Concatenates b and a, and takes 16 bytes from the immediate on. */
static void align(const instruction *i, vector *to, const vector *a, const vector *b)
{
    for (unsigned k = 0; k < 16; k++) {
        const unsigned from = k + i->immediate;
        to->byte[k] = from < 16 ? b->byte[from] : from < 32 ? a->byte[from - 16] : 0;
    }
}

enum {
    UNPACK_LOW_32,
    UNPACK_HIGH_32,
    UNPACK_LOW_64,
    UNPACK_HIGH_64,
    SHUFFLE,
    ADD_32,
    ADD_64,
    XOR,
    ALIGN,
    LOAD,
    LOAD_ALIGNED,
    STORE,
    STORE_ALIGNED
};

/* AVX instructions. Prefixes are 0: none, 1: 66, 2: f3. */
static const struct {
    uint8_t map, prefix, opcode, operation;
} known[] = {
    {1, 1, 0x62, UNPACK_LOW_32}, {1, 1, 0x6a, UNPACK_HIGH_32},
    {1, 1, 0x6c, UNPACK_LOW_64}, {1, 1, 0x6d, UNPACK_HIGH_64},
    {1, 1, 0x70, SHUFFLE},       {1, 1, 0xfe, ADD_32},
    {1, 1, 0xd4, ADD_64},        {1, 1, 0xef, XOR},
    {3, 1, 0x0f, ALIGN},         {1, 1, 0x6f, LOAD_ALIGNED},
    {1, 1, 0x7f, STORE_ALIGNED}, {1, 2, 0x6f, LOAD},
    {1, 2, 0x7f, STORE},         {1, 0, 0x28, LOAD_ALIGNED},
    {1, 0, 0x29, STORE_ALIGNED}, {1, 0, 0x10, LOAD},
    {1, 0, 0x11, STORE},
};

static int operation_of(const instruction *i)
{
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (known[k].map == i->map && known[k].prefix == i->prefix &&
            known[k].opcode == i->opcode) {
            return known[k].operation;
        }
    }
    return -1;
}

static void compute_avx(const machine *m, const instruction *i, int operation, vector *to)
{
    const vector a = read_register(m, i->vvvv);
    const vector b = read_rm(m, i);
    switch (operation) {
    case UNPACK_LOW_32:
    case UNPACK_HIGH_32:
        interleave(to, &a, &b, operation == UNPACK_HIGH_32 ? 8 : 0, 4);
        break;
    case UNPACK_LOW_64:
    case UNPACK_HIGH_64:
        interleave(to, &a, &b, operation == UNPACK_HIGH_64 ? 8 : 0, 8);
        break;
    case SHUFFLE:
        for (unsigned k = 0; k < 4; k++) {
            memcpy(to->byte + 4 * k, b.byte + 4 * (i->immediate >> 2 * k & 3), 4);
        }
        break;
    case ADD_32:
    case ADD_64:
        add_elements(to, &a, &b, operation == ADD_32 ? 4 : 8);
        break;
    case XOR:
        for (unsigned k = 0; k < 16; k++) {
            to->byte[k] = a.byte[k] ^ b.byte[k];
        }
        break;
    case ALIGN:
        align(i, to, &a, &b);
        break;
    default:
        memcpy(to->byte, b.byte, 16);
        break;
    }
}

/* Returns false for unknown instructions. Leaves misaligned operands of aligned moves to the CPU.
   */
static bool execute_avx(machine *m, const instruction *i)
{
    const int operation = operation_of(i);
    const bool stores = operation == STORE || operation == STORE_ALIGNED;
    const bool aligned = operation == LOAD_ALIGNED || operation == STORE_ALIGNED;
    vector result = {{0}};
    if (operation < 0 || (aligned && i->in_memory && i->address % 16 != 0)) {
        return false;
    }
    if (stores) {
        const vector stored = read_register(m, i->reg);
        memcpy(result.byte, stored.byte, 16);
        if (i->in_memory) {
            memcpy((void *)i->address, result.byte, 16);
        } else {
            write_register(m, i->rm, &result);
        }
    } else {
        compute_avx(m, i, operation, &result);
        write_register(m, i->reg, &result);
    }
    followed++;
    return true;
}

static bool execute_xop(machine *m, const instruction *i)
{
    vector result = {{0}};
    if (!compute_xop(m, i, &result)) {
        return false;
    }
    write_register(m, i->reg, &result);
    emulated++;
    return true;
}

/* ---- The signal ---- */

static void name_unknown(const uint8_t *code)
{
    static const char digits[] = "0123456789abcdef";
    char text[] = "xop_emulator: not an XOP instruction that it knows: .. .. .. .. .. .. .. ..\n";
    char *at = strchr(text, '.');
    for (unsigned k = 0; k < 8; k++, at += 3) {
        at[0] = digits[code[k] >> 4];
        at[1] = digits[code[k] & 15];
    }
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
}

static void on_illegal_instruction(int number, siginfo_t *information, void *context)
{
    machine m = machine_of(context);
    const uint8_t *code = (const uint8_t *)(uintptr_t)m.general[PROGRAM_COUNTER];
    const uint8_t *const start = code;
    instruction i;
    (void)information;
    /* The signal must come from a known XOP instruction. */
    bool decoded = decode(&m, code, &i) && i.map >= 8;
    while (decoded && (i.map >= 8 ? execute_xop(&m, &i) : execute_avx(&m, &i))) {
        code = i.next;
        decoded = decode(&m, code, &i);
    }
    m.general[PROGRAM_COUNTER] = (greg_t)(uintptr_t)code;
    if (code == start) {
        name_unknown(code);
        signal(number, SIG_DFL);
    }
}

void xop_emulate(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_illegal_instruction;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, NULL);
}

unsigned long xop_emulated(void)
{
    return emulated;
}

unsigned long xop_followed(void)
{
    return followed;
}
