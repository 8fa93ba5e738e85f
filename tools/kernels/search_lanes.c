/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Searches for an order of a round's operations for tools/kernels/search_lanes.py:
 *
 *   search_lanes SECONDS SEED < ORDER > ORDER
 *
 * Linked with the code of each operation of each round. An order is a template of one round; an
 * operation in it belongs to a round that is ahead of the others. Simulated annealing: moves a few
 * operations, and if every value still reaches its readers, joins the rounds and the transposition
 * of the next block beside them, runs and times them, at 15,000 orders a second. Core cycles are
 * ticks divided by those of a chain of one-cycle additions. Progress goes to standard error.
 */
#define _GNU_SOURCE
#include "impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

enum { STEPS_MAX = 300, ROUNDS_MAX = 16, REGISTERS = 33, CODE_BYTES = 1 << 17 };
enum { AHEAD_LEAST = -1, AHEAD_MOST = 2 }; /* the assembly holds the words of four rounds */
enum { MEMORY = 32 };                      /* the word in memory, among registers */
enum { USES_SCRATCH = 1, PARKS, UNPARKS };

/* The table that search_lanes.py writes. parked is the first scratch register, whose word is in
   memory, or -1. registers holds for each operation the register that it changes, the one that it
   reads, or -1, and what it does to the scratch register. */
extern const int32_t rounds, steps, words, fetches, parked;
extern const int8_t registers[][3];
/* Offsets of each operation's code with the first scratch register, then with the second, and the
   end; then those of each word of the next block. */
extern const uint32_t places[], word_places[];
extern const uint8_t code[];

typedef struct slot {
    int step, ahead;
} slot;

/* Values of registers are numbered. For each operation: the value that it changes, the value that it
   reads, and the number of earlier operations that read the former. */
static int old_value[ROUNDS_MAX * STEPS_MAX], read_value[ROUNDS_MAX * STEPS_MAX];
static int readers[ROUNDS_MAX * STEPS_MAX];
static uint16_t sequence[ROUNDS_MAX * STEPS_MAX];
static bool second_scratch[ROUNDS_MAX * STEPS_MAX]; /* by place in the sequence */
static uint8_t *buffer;
static fin_lanes lanes;
static _Alignas(64) uint8_t kept[2 * 6 * 16 * 128];
static double ticks_a_cycle;

static uint32_t random_below(uint32_t n)
{
    return (uint32_t)random() % n;
}

/* Runs a sequence on value numbers; `note` records the correct values, in the natural order. */
static bool run(const uint16_t *order, int count, bool note)
{
    int value[REGISTERS] = {0};
    int reads[REGISTERS] = {0};
    int scratch = parked;
    for (int i = 0; i < count; i++) {
        const int at = order[i];
        const int to = registers[at % steps][0];
        const int from = registers[at % steps][1];
        const int use = registers[at % steps][2];
        if ((use == USES_SCRATCH && scratch < 0) || (use == PARKS && scratch >= 0) ||
            (use == UNPARKS && scratch != to) || (from >= 0 && from == scratch)) {
            return false;
        }
        second_scratch[i] = scratch == 9;
        scratch = use == PARKS ? from : use == UNPARKS ? -1 : scratch;
        reads[MEMORY] += use == UNPARKS;
        if (note) {
            old_value[at] = value[to];
            read_value[at] = from < 0 ? 0 : value[from];
        }
        if (from >= 0 && from != to) {
            reads[from]++;
        }
        if (note) {
            readers[at] = reads[to];
        }
        if (value[to] != old_value[at] || reads[to] != readers[at] ||
            (from >= 0 && value[from] != read_value[at])) {
            return false;
        }
        reads[to] = 0;
        value[to]++;
    }
    return true;
}

/* Expands an order to all rounds; returns false if a value would not reach a reader. */
static bool expand(const slot *order)
{
    int count = 0;
    for (int r = -AHEAD_MOST; r < rounds - AHEAD_LEAST; r++) {
        for (int i = 0; i < steps; i++) {
            const int of_round = r + order[i].ahead;
            if (of_round >= 0 && of_round < rounds) {
                sequence[count++] = (uint16_t)(of_round * steps + order[i].step);
            }
        }
    }
    return count == rounds * steps && run(sequence, count, false);
}

/* Copies the code between two places to an address, and returns the address after it. */
static uint8_t *copy(uint8_t *to, const uint32_t *between)
{
    memcpy(to, code + between[0], between[1] - between[0]);
    return to + (between[1] - between[0]);
}

static void build(void)
{
    const int beside = rounds * steps * 88 / 100; /* operations; as in the kernel */
    int word = 0;
    uint8_t *to = buffer;
    for (int i = 0; i < rounds * steps; i++) {
        to = copy(to, &places[sequence[i] + (second_scratch[i] ? rounds * steps : 0)]);
        if (word < words && (word + 1) * beside <= (i + 1) * words) {
            to = copy(to, &word_places[word++]);
        }
    }
    *to = 0xc3; /* ret */
}

/* Calls the rounds. Their only inputs are in memory; the state may have any value. */
static void call(void)
{
    const void *const given[] = {
        &lanes.message, lanes.message.w32 + 16 * FIN_LANES_MAX,
        lanes.in,       &lanes.row,
        buffer,         fetches != 0 ? (const void *)lanes.in : kept + sizeof kept / 2,
    };
    const void *const *p = given;
    __asm__ volatile("push %%rbp\n\tmov (%0), %%r8\n\tmov 8(%0), %%r9\n\tmov 16(%0), %%r10\n\t"
                     "xor %%r11d, %%r11d\n\txor %%r12d, %%r12d\n\tmov 24(%0), %%r13\n\t"
                     "mov 40(%0), %%r14\n\tlea %1, %%r15\n\tcall *32(%0)\n\tpop %%rbp"
                     : "+a"(p)
                     : "m"(lanes), "m"(given)
                     : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
                       "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

static uint64_t ticks(void)
{
    _mm_lfence();
    const uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

static double measure(int samples)
{
    enum { CALLS = 64 }; /* some CPUs' time-stamp counters advance by 10 ns at a time */
    uint64_t least = UINT64_MAX;
    call();
    for (int k = 0; k < samples; k++) {
        const uint64_t start = ticks();
        for (int i = 0; i < CALLS; i++) {
            call();
        }
        const uint64_t taken = ticks() - start;
        least = taken < least ? taken : least;
    }
    return (double)least / CALLS / ticks_a_cycle;
}

static void calibrate(void)
{
    enum { CHAIN = 12000 };
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < 3000; k++) {
        uint64_t x = 1, one = 1; /* some cores remove additions of a constant at rename */
        const uint64_t start = ticks();
        for (int i = 0; i < CHAIN / 100; i++) {
            __asm__ volatile(".rept 100\n\tadd %1, %0\n\t.endr" : "+r"(x) : "r"(one));
        }
        const uint64_t taken = ticks() - start;
        least = taken < least ? taken : least;
    }
    ticks_a_cycle = (double)least / CHAIN;
}

/* Moves an operation, past either end into the next round. Returns false if that is too far. */
static bool move(slot *order)
{
    const int span = 1 + (int)random_below(random_below(3) != 0 ? 6 : 40);
    const bool later = random_below(2) != 0;
    int at = (int)random_below((uint32_t)steps);
    slot moved = order[at];
    for (int k = 0; k < span; k++) {
        const int other = (at + (later ? 1 : steps - 1)) % steps;
        if (later && other == 0) {
            memmove(order + 1, order, (size_t)(steps - 1) * sizeof *order);
            moved.ahead--;
        } else if (!later && other == steps - 1) {
            memmove(order, order + 1, (size_t)(steps - 1) * sizeof *order);
            moved.ahead++;
        } else {
            order[at] = order[other];
        }
        at = other;
    }
    order[at] = moved;
    return moved.ahead >= AHEAD_LEAST && moved.ahead <= AHEAD_MOST;
}

/* Stores the best order found in `best`. */
static void anneal(slot *best, double seconds)
{
    slot current[STEPS_MAX], next[STEPS_MAX];
    const size_t bytes = (size_t)steps * sizeof *best;
    memcpy(current, best, bytes);
    (void)expand(current);
    build();
    double cycles = measure(50);
    double least = cycles;
    const double warm = cycles * 0.004;
    const double ticks_all = seconds * 1e9 * (double)ticks_a_cycle * 3; /* about 3 GHz */
    const uint64_t start = __rdtsc();
    (void)fprintf(stderr, "starts at %.1f cycles\n", cycles);
    for (double part = 0; part < 1; part = (double)(__rdtsc() - start) / ticks_all) {
        bool right = true;
        memcpy(next, current, bytes);
        for (uint32_t moves = random_below(4) == 0 ? 2 : 1; moves != 0; moves--) {
            right = move(next) && right;
        }
        if (!right || !expand(next)) {
            continue;
        }
        build();
        const double found = measure(3);
        const double limit = warm * (1 - part) * (1 - part) * random_below(1000) / 1000;
        if (found >= cycles + limit) {
            continue;
        }
        memcpy(current, next, bytes);
        cycles = found < least ? measure(20) : found;
        if (cycles < least) {
            least = cycles;
            memcpy(best, next, bytes);
            (void)fprintf(stderr, "%.2f: %.1f\n", part, least);
        }
    }
}

int main(int argc, char **argv)
{
    slot order[STEPS_MAX];
    if (argc != 3 || steps > STEPS_MAX || rounds > ROUNDS_MAX) {
        return 1;
    }
    srandom((unsigned)strtoul(argv[2], NULL, 10));
    buffer = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                  -1, 0);
    for (int i = 0; i < rounds * steps; i++) {
        sequence[i] = (uint16_t)i;
    }
    (void)run(sequence, rounds * steps, true);
    for (int i = 0; i < steps; i++) {
        if (scanf("%d %d", &order[i].step, &order[i].ahead) != 2) {
            return 1;
        }
    }
    if (!expand(order) || buffer == MAP_FAILED) {
        (void)fputs("search_lanes: the first order is wrong\n", stderr);
        return 1;
    }
    static uint8_t message[FIN_LANES_MAX][1024];
    for (int i = 0; i < FIN_LANES_MAX; i++) {
        lanes.in[i] = message[i];
    }
    calibrate();
    anneal(order, strtod(argv[1], NULL));
    for (int i = 0; i < steps; i++) {
        printf("%d %d\n", order[i].step, order[i].ahead);
    }
    return 0;
}
