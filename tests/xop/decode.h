/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Access to the registers of an interrupted program, and the decoder of the instructions that
 * xop_emulator.c executes.
 */

#ifdef __x86_64__
enum { REGISTERS = 16, PROGRAM_COUNTER = REG_RIP };
static const int general_registers[REGISTERS] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
/* The FXSAVE image comes first. */
enum { IMAGE_AT = 0 };
#else
enum { REGISTERS = 8, PROGRAM_COUNTER = REG_EIP };
static const int general_registers[REGISTERS] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX,
                                                 REG_ESP, REG_EBP, REG_ESI, REG_EDI};
/* The FXSAVE image follows the frame of FSAVE. */
enum { IMAGE_AT = 112 };
#endif

/* Offsets in the FXSAVE image of the registers, and of Linux's data about the XSAVE image it
   starts. */
enum { XMM_AT = 160, EXTENDED_MAGIC_AT = 464, XSTATE_BV_AT = 512, YMM_AT = 576 };
#define EXTENDED_MAGIC UINT32_C(0x46505853)
#define XSTATE_YMM UINT64_C(4)

typedef struct machine {
    greg_t *general;
    uint8_t *image;
    bool has_ymm;
} machine;

typedef struct vector {
    uint8_t byte[32];
} vector;

typedef struct instruction {
    uint8_t map, prefix, opcode, immediate;
    bool w, l;
    unsigned reg, vvvv, rm;
    bool in_memory;
    uintptr_t address;
    const uint8_t *next;
} instruction;

static unsigned long emulated, followed;

/* ---- The saved registers ---- */

static machine machine_of(ucontext_t *context)
{
    machine m = {context->uc_mcontext.gregs, (uint8_t *)context->uc_mcontext.fpregs + IMAGE_AT,
                 false};
    uint32_t magic;
    memcpy(&magic, m.image + EXTENDED_MAGIC_AT, sizeof magic);
    m.has_ymm = magic == EXTENDED_MAGIC;
    return m;
}

/* Returns whether upper halves are saved; all-zero ones need not be. */
static bool upper_halves_saved(const machine *m)
{
    uint64_t saved;
    memcpy(&saved, m->image + XSTATE_BV_AT, sizeof saved);
    return m->has_ymm && (saved & XSTATE_YMM) != 0;
}

static void save_upper_halves(machine *m)
{
    uint64_t saved;
    memset(m->image + YMM_AT, 0, 16 * REGISTERS);
    memcpy(&saved, m->image + XSTATE_BV_AT, sizeof saved);
    saved |= XSTATE_YMM;
    memcpy(m->image + XSTATE_BV_AT, &saved, sizeof saved);
}

static vector read_register(const machine *m, unsigned n)
{
    vector v = {{0}};
    memcpy(v.byte, m->image + XMM_AT + 16 * n, 16);
    if (upper_halves_saved(m)) {
        memcpy(v.byte + 16, m->image + YMM_AT + 16 * n, 16);
    }
    return v;
}

static void write_register(machine *m, unsigned n, const vector *v)
{
    static const uint8_t zero[16];
    memcpy(m->image + XMM_AT + 16 * n, v->byte, 16);
    if (!upper_halves_saved(m)) {
        if (!m->has_ymm || memcmp(v->byte + 16, zero, 16) == 0) {
            return;
        }
        save_upper_halves(m);
    }
    memcpy(m->image + YMM_AT + 16 * n, v->byte + 16, 16);
}

static uintptr_t general(const machine *m, unsigned n)
{
    return (uintptr_t)m->general[general_registers[n]];
}

/* ---- Decoding ---- */

static int32_t read_displacement(const uint8_t **code, unsigned mod)
{
    int32_t displacement;
    if (mod == 1) {
        return (int8_t)*(*code)++;
    }
    memcpy(&displacement, *code, 4);
    *code += 4;
    return displacement;
}

/* Returns the address of a memory operand; x and b extend index and base. code points after modrm.
   */
static uintptr_t read_address(const machine *m, const uint8_t **code, uint8_t modrm, unsigned x,
                              unsigned b, bool *from_next)
{
    const unsigned mod = modrm >> 6;
    unsigned base = modrm & 7;
    uintptr_t address = 0;
    bool no_base = mod == 0 && base == 5;
    *from_next = no_base && sizeof(uintptr_t) == 8;
    if (base == 4) {
        const uint8_t sib = *(*code)++;
        const unsigned index = (sib >> 3 & 7) | x;
        base = sib & 7;
        no_base = mod == 0 && base == 5;
        if (index != 4) {
            address = general(m, index) << (sib >> 6);
        }
    }
    if (!no_base) {
        address += general(m, base | b);
    }
    if (mod != 0 || no_base) {
        address += (uintptr_t)(intptr_t)read_displacement(code, no_base ? 2 : mod);
    }
    return address;
}

/* Decodes the prefix and its fields; returns false if there is none, or another meaning in 32 bits.
   */
static bool decode_prefix(const uint8_t **code, instruction *i, unsigned *x, unsigned *b)
{
    const unsigned mask = REGISTERS - 1;
    const uint8_t first = *(*code)++;
    const uint8_t second = *(*code)++;
    unsigned fields = second;
    const unsigned r = ~fields >> 4 & 8 & mask;
    *x = *b = 0;
    i->map = 1;
    if (first == 0x8f || first == 0xc4) {
        *x = ~fields >> 3 & 8 & mask;
        *b = ~fields >> 2 & 8 & mask;
        i->map = fields & 31;
        fields = *(*code)++;
        i->w = fields >> 7 != 0;
    }
    i->reg = r;
    i->vvvv = ~fields >> 3 & mask;
    i->l = (fields & 4) != 0;
    i->prefix = fields & 3;
    if (first == 0x8f) {
        return i->map >= 8 && i->prefix == 0;
    }
    /* Only AVX with 128 bits; in 32-bit code R and X distinguish it from lds and les. */
    const bool is_avx = first == 0xc4 || first == 0xc5;
    return is_avx && i->map < 8 && !i->l && (REGISTERS == 16 || second >= 0xc0);
}

static bool has_immediate(const instruction *i)
{
    return i->map == 8 || i->map == 3 || (i->map == 1 && i->opcode == 0x70);
}

/* Returns false if there is no instruction of XOP or AVX at code. */
static bool decode(const machine *m, const uint8_t *code, instruction *i)
{
    unsigned x, b;
    bool from_next = false;
    memset(i, 0, sizeof *i);
    if (!decode_prefix(&code, i, &x, &b)) {
        return false;
    }
    i->opcode = *code++;
    const uint8_t modrm = *code++;
    i->reg |= modrm >> 3 & 7;
    i->rm = (modrm & 7) | b;
    i->in_memory = modrm >> 6 != 3;
    if (i->in_memory) {
        i->address = read_address(m, &code, modrm, x, b, &from_next);
    }
    if (has_immediate(i)) {
        i->immediate = *code++;
    }
    if (from_next) {
        i->address += (uintptr_t)code;
    }
    i->next = code;
    return true;
}

static vector read_rm(const machine *m, const instruction *i)
{
    vector v = {{0}};
    if (!i->in_memory) {
        return read_register(m, i->rm);
    }
    memcpy(v.byte, (const void *)i->address, i->l ? 32 : 16);
    return v;
}
