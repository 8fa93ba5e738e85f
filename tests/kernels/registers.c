/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Checks the registers that a function must preserve, System V ABI for x86-64: after every function
 * of core/asm and every kernel that C compilers made. A wrong restore rarely changes a digest.
 * First the check itself is tested with each register. Needs internal symbols, hence a static
 * library.
 */
#include "check.h"

#include "impl.h"

#include <stddef.h>

typedef struct registers {
    uint64_t general[6];    /* rbx, rbp, r12 to r15 */
    uint64_t stack_pointer; /* its difference */
    uint64_t flags;
    uint32_t mxcsr;
    uint16_t control;
    uint16_t unused;
    uint8_t environment[32]; /* x87, as fnstenv writes it */
    uint64_t words[16];      /* above the return address */
} registers;

_Static_assert(offsetof(registers, stack_pointer) == 48, "registers_x86_64.S: LEFT_STACK_POINTER");
_Static_assert(offsetof(registers, flags) == 56, "registers_x86_64.S: LEFT_FLAGS");
_Static_assert(offsetof(registers, mxcsr) == 64, "registers_x86_64.S: LEFT_MXCSR");
_Static_assert(offsetof(registers, control) == 68, "registers_x86_64.S: LEFT_CONTROL");
_Static_assert(offsetof(registers, environment) == 72, "registers_x86_64.S: LEFT_ENVIRONMENT");
_Static_assert(offsetof(registers, words) == 104, "registers_x86_64.S: LEFT_WORDS");

typedef void any_function(void);

void registers_call(any_function *function, const uint64_t arguments[6], registers *left);

/* Calls with the six arguments; returns the first register that was not preserved, or null. */
static const char *spoilt(any_function *function, const uint64_t arguments[6])
{
    static const char *const names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
    enum { DIRECTION = 1 << 10, MXCSR_CONTROL = 0xffc0 };
    registers left;
    registers_call(function, arguments, &left);
    for (unsigned i = 0; i < 6; i++) {
        if (left.general[i] != UINT64_C(0x0101010101010101) * (0xb0 + i)) {
            return names[i];
        }
    }
    if (left.stack_pointer != 0) {
        return "stack_pointer";
    }
    for (unsigned i = 0; i < 16; i++) {
        if (left.words[i] != UINT64_C(0x5afe000000000000) + i) {
            return "words";
        }
    }
    /* fnstenv: the tag word is the third of four bytes each, all ones if every register is empty. */
    const bool x87_is_empty = left.environment[8] == 0xff && left.environment[9] == 0xff;
    return (left.flags & DIRECTION) != 0            ? "direction"
           : (left.mxcsr & MXCSR_CONTROL) != 0x1f80 ? "mxcsr"
           : left.control != 0x37f                  ? "control"
           : !x87_is_empty                          ? "mmx"
                                                    : NULL;
}

#define SPOILERS(X) \
    X(nothing)      \
    X(rbx)          \
    X(rbp)          \
    X(r12) X(r13) X(r14) X(r15) X(direction) X(mxcsr) X(control) X(mmx) X(words) X(stack_pointer)
#define DECLARE(name) void registers_spoil_##name(void);
SPOILERS(DECLARE)

static void sees_faults(void)
{
    static const struct {
        const char *name;
        any_function *function;
    } spoilers[] = {
#define ENTRY(name) {#name, registers_spoil_##name},
        SPOILERS(ENTRY)};
    const uint64_t arguments[6] = {0};
    CHECK(spoilt(spoilers[0].function, arguments) == NULL);
    for (size_t i = 1; i < sizeof spoilers / sizeof spoilers[0]; i++) {
        const char *found = spoilt(spoilers[i].function, arguments);
        check_context("spoilt %s", spoilers[i].name);
        CHECK(found != NULL && strcmp(found, spoilers[i].name) == 0);
    }
}

/* ---- Called functions ---- */

enum { BLOCKS_MAX = 4, STRIDE_MAX = 300 };
static uint8_t text[STRIDE_MAX * BLOCKS_MAX + 200];

static void check_preserved(any_function *function, const uint64_t arguments[6])
{
    const char *register_name = spoilt(function, arguments);
    if (!CHECK(register_name == NULL)) {
        printf("    %s\n", register_name);
    }
}

static uint64_t address(const void *pointer)
{
    return (uintptr_t)pointer;
}

static void check_compress(fin_compress_fn *compress)
{
    static fin_state state;
    for (unsigned turn = 0; turn < 100; turn++) {
        check_random_bytes((uint8_t *)&state, sizeof state);
        state.rounds = turn % 20;
        const uint64_t arguments[6] = {address(&state), address(text + check_random_below(64)),
                                       turn % (BLOCKS_MAX + 1), check_random_below(STRIDE_MAX),
                                       check_random_below(1025)};
        check_preserved((any_function *)compress, arguments);
    }
}

static void check_lanes(fin_compress_lanes_fn *compress)
{
    static fin_lanes lanes;
    for (unsigned turn = 0; turn < 20; turn++) {
        check_random_bytes((uint8_t *)&lanes, sizeof lanes);
        lanes.rounds = turn;
        lanes.ready = false;
        lanes.common = FIN_COMMON_NONE;
        for (size_t lane = 0; lane < FIN_LANES_MAX; lane++) {
            lanes.in[lane] = text + check_random_below(64);
        }
        const uint64_t arguments[6] = {address(&lanes), turn % (BLOCKS_MAX + 1),
                                       check_random_below(STRIDE_MAX)};
        check_preserved((any_function *)compress, arguments);
    }
}

/* True if this CPU has all of the comma-separated features. */
static bool supported(const char *features)
{
    char all[500] = ",";
    const size_t length = fin_cpu_features(all + 1, sizeof all - 2);
    if (!CHECK_NEEDED(length < sizeof all - 2)) {
        return false;
    }
    all[1 + length] = ',';
    all[2 + length] = '\0';
    while (*features != '\0') {
        char one[40];
        const size_t bytes = strcspn(features, ",");
        snprintf(one, sizeof one, ",%.*s,", (int)bytes, features);
        if (strstr(all, one) == NULL) {
            return false;
        }
        features += bytes + (features[bytes] == ',');
    }
    return true;
}

/* ---- core/asm ---- */

typedef void rounds_function(void *h, void *v, const void *m, const void *u, uint64_t rounds,
                             void *kept);
typedef void blocks_function(fin_lanes *lanes);

#define FIN_KERNEL(name, features) fin_compress_fn name;
#define FIN_ROUNDS(name, features) rounds_function name;
#define FIN_BLOCKS(name, features) blocks_function name;
#define FIN_WAYS(name, features) fin_compress_lanes_fn name;
#include "asm_functions.def"
#undef FIN_KERNEL
#undef FIN_ROUNDS
#undef FIN_BLOCKS
#undef FIN_WAYS

static void check_rounds(rounds_function *function)
{
    enum { VECTOR = 64, KEPT_ROUNDS = 6 };
    static _Alignas(64) uint8_t h[8 * VECTOR], v[8 * VECTOR], m[16 * VECTOR], u[16 * 8];
    static _Alignas(64) uint8_t kept[16 * KEPT_ROUNDS * VECTOR];
    for (unsigned rounds = 0; rounds < 20; rounds++) {
        const uint64_t arguments[6] = {address(h), address(v), address(m),
                                       address(u), rounds,     address(kept)};
        check_preserved((any_function *)function, arguments);
    }
}

static void check_blocks(blocks_function *function)
{
    enum { SUMS = 6 * 16 * 64 * 2 };
    static _Alignas(64) uint8_t sums[SUMS];
    static fin_lanes lanes;
    static const uint64_t constants[16];
    for (unsigned blocks = 1; blocks <= BLOCKS_MAX; blocks++) {
        check_random_bytes((uint8_t *)&lanes, sizeof lanes);
        for (size_t lane = 0; lane < FIN_LANES_MAX; lane++) {
            lanes.in[lane] = text + check_random_below(64);
        }
        lanes.call = (fin_lanes_call){.m = &lanes.message.w64[0],
                                      .ahead = &lanes.message.w64[16 * FIN_LANES_MAX / 2],
                                      .next = &lanes.message.w64[0],
                                      .in = lanes.in,
                                      .blocks = blocks,
                                      .stride = check_random_below(STRIDE_MAX),
                                      .constants = constants,
                                      .kept = sums + SUMS / 2,
                                      .fetch = lanes.in};
        const uint64_t arguments[6] = {address(&lanes)};
        check_preserved((any_function *)function, arguments);
    }
}

static void check_assembly(void)
{
#define FIN_KERNEL(name, features)                  \
    if (check_part(#name) && supported(features)) { \
        check_compress(name);                       \
    }
#define FIN_ROUNDS(name, features)                  \
    if (check_part(#name) && supported(features)) { \
        check_rounds(name);                         \
    }
#define FIN_BLOCKS(name, features)                  \
    if (check_part(#name) && supported(features)) { \
        check_blocks(name);                         \
    }
#define FIN_WAYS(name, features)                    \
    if (check_part(#name) && supported(features)) { \
        check_lanes(name);                          \
    }
#include "asm_functions.def"
}

/* ---- The registry ---- */

#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(extern const fin_unit fin_unit_##name;)
#include "isa.def"
#undef FIN_UNIT

static void check_unit(const fin_unit *unit, const char *name, const char *features)
{
    if (!supported(features)) {
        return;
    }
    for (size_t i = 0; i < unit->count; i++) {
        const fin_impl *impl = &unit->impls[i];
        if (!check_part("%s, %u: %s", name, (unsigned)i, impl->name)) {
            continue;
        }
        if (impl->compress != NULL) {
            check_compress(impl->compress);
        }
        if (impl->compress_lanes != NULL) {
            check_lanes(impl->compress_lanes);
        }
        if (impl->finish_lanes != NULL) {
            check_lanes(impl->finish_lanes);
        }
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    if (check_part("planted faults")) {
        sees_faults();
    }
    check_assembly();
#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(check_unit(&fin_unit_##name, #name, features);)
#include "isa.def"
    return check_report();
}
