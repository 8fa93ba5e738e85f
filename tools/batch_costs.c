/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Measures the cost of batches in core cycles of this machine:
 *
 *   batch_costs costs [bytes]     the FIN_COST lines of core/preference.def: the cost of a message
 *                                 in every lane, for each implementation
 *   batch_costs nodes             the FIN_NODES lines: the same for fin_hash_equal, 64 bytes each
 *   batch_costs widths [bytes]    1 to 40 messages in one call against the best split into two
 *   batch_costs places [bytes]    256 messages at 64 stack addresses, and at 64 offsets between
 *                                 input and output
 *
 * A chain of dependent additions beside each sample measures the core cycle, and independent ones
 * show whether another hyperthread shares the core. Samples during which one does, or the clock
 * frequency changed, are dropped. Candidates run alternately.
 */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "finalist.h"

enum {
    MESSAGES_MAX = 256,
    BYTES_MAX = 4096,
    SAMPLES = 31,
    IMPLEMENTATIONS_MAX = 64,
    PLACES = 64,
    PLACE_BYTES = 64,
    SAMPLE_CYCLES = 40000
};

static uint8_t *in, *digests;
static fin_message messages[MESSAGES_MAX];
static size_t message_bytes = 48;
static bool equal; /* messages are passed to fin_hash_equal */

static const fin_algorithm algorithms[] = {FIN_BLAKE256, FIN_BLAKE512,   FIN_BLAKE2B,   FIN_BLAKE2S,
                                           FIN_BLAKE3,   FIN_GROESTL256, FIN_GROESTL512};

/* ---- Time ---- */

static double now(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return (double)__builtin_ia32_rdtsc();
#else
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
#endif
}

/* Without loops, so that the compiler's options do not change what is measured. */
#define TEN_TIMES(...)                                                                  \
    __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ \
        __VA_ARGS__ __VA_ARGS__ __VA_ARGS__

/* Returns the time of additions in one chain: the least of a few runs, without an interrupt. The
   addend is unknown to the compiler, because Golden Cove removes additions of a constant at
   rename. */
static double additions(int count)
{
    enum { TRIALS = 5 };
    double least = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        uintptr_t sum = 1, one = 1;
        __asm__ volatile("" : "+r"(one));
        const double start = now();
        for (int i = 0; i < count; i += 10) {
            TEN_TIMES(sum += one; __asm__ volatile("" : "+r"(sum));)
        }
        const double time = now() - start;
        least = trial == 0 || time < least ? time : least;
    }
    return least;
}

/* Returns the time of a cycle from a difference that cancels the cost of reading the clock. */
static double cycle(void)
{
    enum { FEW = 1000, MANY = 4000 };
    return (additions(MANY) - additions(FEW)) / (double)(MANY - FEW);
}

/* Returns the additions a cycle of independent chains. */
static double additions_a_cycle(void)
{
    enum { TURNS = 1000, CHAINS = 5 };
    uintptr_t a = 1, b = 1, c = 1, d = 1, e = 1, one = 1;
    __asm__ volatile("" : "+r"(one));
    const double start = now();
    for (int i = 0; i < TURNS; i += 10) {
        TEN_TIMES(a += one; b += one; c += one; d += one; e += one;
                  __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));)
    }
    const double time = now() - start;
    return TURNS * CHAINS * cycle() / time;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of samples. */
static double middle(double *samples, size_t count)
{
    qsort(samples, count, sizeof samples[0], by_value);
    return count != 0 ? samples[count / 2] : 0;
}

/* The additions a cycle of a core that no other hyperthread shares. */
static double additions_alone;

/* Sets additions_alone to nearly the most of many trials: interrupts can make a few greater. */
static void observe_alone(void)
{
    enum { TRIALS = 100000 };
    static double trials[TRIALS];
    for (size_t i = 0; i < TRIALS; i++) {
        trials[i] = additions_a_cycle();
    }
    qsort(trials, TRIALS, sizeof trials[0], by_value);
    additions_alone = trials[TRIALS - TRIALS / 50];
}

static bool is_alone(void)
{
    return additions_a_cycle() > 0.95 * additions_alone;
}

/* ---- Calls ---- */

typedef struct work {
    fin_algorithm algorithm;
    size_t first, second; /* messages in the first and in the second call */
} work;

static void must(fin_status status)
{
    if (status != FIN_OK) {
        (void)fprintf(stderr, "%s\n", fin_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static void call(const work *w)
{
    if (equal) {
        must(fin_hash_equal(w->algorithm, NULL, in, message_bytes, w->first, digests, 32));
        return;
    }
    must(fin_hash_many(w->algorithm, NULL, messages, w->first, digests, 64));
    if (w->second != 0) {
        must(fin_hash_many(w->algorithm, NULL, messages + w->first, w->second,
                           digests + 64 * w->first, 64));
    }
}

/* Returns one sample in core cycles; 0 if in all trials the clock frequency changed or another
   hyperthread shared the core. */
static double sample(const work *w, size_t calls)
{
    enum { TRIALS = 100 };
    for (int trial = 0; trial < TRIALS; trial++) {
        const bool alone = is_alone();
        const double before = cycle();
        const double start = now();
        for (size_t i = 0; i < calls; i++) {
            call(w);
        }
        const double time = (now() - start) / (double)calls;
        const double after = cycle();
        const double moved = before < after ? after / before : before / after;
        if (alone && moved < 1.02 && is_alone()) {
            return time / before;
        }
    }
    return 0;
}

static size_t calls_for(const work *w)
{
    const double cycles = sample(w, 3);
    return 1 + (size_t)((double)SAMPLE_CYCLES / (cycles > 1 ? cycles : 1000));
}

/* ---- Widths ---- */

/* Returns the cost of one call relative to the best of all splits into two. */
static double against_splits(fin_algorithm algorithm, size_t n)
{
    static double together[SAMPLES], split[MESSAGES_MAX][SAMPLES];
    size_t counts[MESSAGES_MAX] = {0}, count = 0;
    const work whole = {algorithm, n, 0};
    const size_t calls = calls_for(&whole);
    double best = 0;
    for (size_t k = 0; k < SAMPLES; k++) {
        const double cycles = sample(&whole, calls);
        together[count] = cycles;
        count += cycles != 0;
        for (size_t part = (n + 1) / 2; part < n; part++) {
            const work two = {algorithm, part, n - part};
            split[part][counts[part]] = sample(&two, calls);
            counts[part] += split[part][counts[part]] != 0;
        }
    }
    for (size_t part = (n + 1) / 2; part < n; part++) {
        const double cycles = middle(split[part], counts[part]);
        best = cycles != 0 && (best == 0 || cycles < best) ? cycles : best;
    }
    return best != 0 ? middle(together, count) / best : 1;
}

static void widths(void)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
        double worst = 0;
        (void)printf("%s:", fin_algorithm_describe(algorithms[a])->name);
        for (size_t n = 2; n <= 40; n++) {
            const double ratio = against_splits(algorithms[a], n);
            worst = ratio > worst ? ratio : worst;
            (void)printf(" %u:%.2f", (unsigned)n, ratio);
            (void)fflush(stdout);
        }
        (void)printf("  at most %.3f\n", worst);
    }
}

/* ---- Costs ---- */

/* The implementations of a compression function: samples of calls with few groups and with more. */
typedef struct contest {
    fin_algorithm algorithm;
    size_t count;
    fin_impl_info impl[IMPLEMENTATIONS_MAX];
    double few[IMPLEMENTATIONS_MAX][SAMPLES], more[IMPLEMENTATIONS_MAX][SAMPLES];
    size_t few_count[IMPLEMENTATIONS_MAX], more_count[IMPLEMENTATIONS_MAX];
} contest;

enum { GROUPS_FEW = 1, GROUPS_MORE = 3 };

static void enter(contest *c, fin_algorithm algorithm)
{
    fin_impl_info info;
    memset(c, 0, sizeof *c);
    c->algorithm = algorithm;
    for (size_t i = 0; i < fin_impl_count() && c->count < IMPLEMENTATIONS_MAX; i++) {
        must(fin_impl_at(i, &info));
        if (strcmp(info.algorithm, fin_algorithm_describe(algorithm)->compression) == 0 &&
            info.supported && info.constant_time) {
            c->impl[c->count++] = info;
        }
    }
}

static void take_turns(contest *c)
{
    for (size_t k = 0; k < SAMPLES; k++) {
        for (size_t i = 0; i < c->count; i++) {
            const size_t lanes = c->impl[i].lanes;
            const work few = {c->algorithm, GROUPS_FEW * lanes, 0};
            const work more = {c->algorithm, GROUPS_MORE * lanes, 0};
            must(fin_impl_select(c->algorithm, c->impl[i].name));
            call(&more);
            const double a = sample(&few, 8), b = sample(&more, 8);
            c->few[i][c->few_count[i]] = a;
            c->few_count[i] += a != 0;
            c->more[i][c->more_count[i]] = b;
            c->more_count[i] += b != 0;
        }
    }
}

/* Derives the cost of a group from the difference, and that of a call from the remainder. */
static void costs_of(fin_algorithm algorithm)
{
    static contest c;
    double calls[IMPLEMENTATIONS_MAX], group[IMPLEMENTATIONS_MAX];
    size_t multi = 0;
    enter(&c, algorithm);
    take_turns(&c);
    for (size_t i = 0; i < c.count; i++) {
        const double few = middle(c.few[i], c.few_count[i]);
        group[i] = (middle(c.more[i], c.more_count[i]) - few) / (GROUPS_MORE - GROUPS_FEW);
        if (c.impl[i].lanes > 1) {
            calls[multi++] = few - group[i];
        }
    }
    (void)printf("%s: call %.0f", fin_algorithm_describe(c.algorithm)->compression,
                 middle(calls, multi));
    for (size_t i = 0; i < c.count; i++) {
        (void)printf(",%s %.0f", c.impl[i].name, group[i]);
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

static void costs(void)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
        costs_of(algorithms[a]);
    }
}

/* ---- Addresses ---- */

/* Makes a call with the stack `bytes` bytes lower. */
static __attribute__((noinline)) double sample_below(const work *w, size_t calls, size_t bytes)
{
    uint8_t *space = alloca(bytes + 1);
    __asm__ volatile("" : : "r"(space) : "memory");
    return sample(w, calls);
}

/* Returns the greatest cost of all addresses relative to the least. */
static double spread(fin_algorithm algorithm, bool of_stack)
{
    static double samples[PLACES][SAMPLES];
    size_t counts[PLACES] = {0};
    const work w = {algorithm, MESSAGES_MAX, 0};
    uint8_t *const first = digests;
    double least = 0, most = 0;
    for (size_t k = 0; k < SAMPLES; k++) {
        for (size_t place = 0; place < PLACES; place++) {
            const size_t bytes = place * PLACE_BYTES;
            digests = of_stack ? first : first + bytes;
            const double cycles = sample_below(&w, 2, of_stack ? bytes : 0);
            samples[place][counts[place]] = cycles;
            counts[place] += cycles != 0;
        }
    }
    digests = first;
    for (size_t place = 0; place < PLACES; place++) {
        const double cycles = middle(samples[place], counts[place]);
        least = place == 0 || cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    (void)printf(" %.1f to %.1f cycles a message (%.3f)", least / (double)MESSAGES_MAX,
                 most / (double)MESSAGES_MAX, most / least);
    return most / least;
}

static void places(void)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
        (void)printf("%s: stack", fin_algorithm_describe(algorithms[a])->name);
        (void)spread(algorithms[a], true);
        (void)printf("; output");
        (void)spread(algorithms[a], false);
        (void)printf("\n");
        (void)fflush(stdout);
    }
}

static void nodes(void)
{
    equal = true;
    message_bytes = 64;
    costs_of(FIN_BLAKE3);
}

typedef struct mode {
    const char *name;
    void (*run)(void);
} mode;

int main(int argument_count, char **arguments)
{
    static const mode modes[] = {
        {"costs", costs}, {"nodes", nodes}, {"widths", widths}, {"places", places}};
    const mode *chosen = NULL;
    for (size_t i = 0; argument_count > 1 && i < sizeof modes / sizeof modes[0]; i++) {
        chosen = strcmp(arguments[1], modes[i].name) == 0 ? &modes[i] : chosen;
    }
    if (chosen == NULL) {
        (void)fprintf(stderr, "usage: batch_costs costs|nodes|widths|places [bytes]\n");
        return EXIT_FAILURE;
    }
    message_bytes = argument_count > 2 ? strtoul(arguments[2], NULL, 10) : message_bytes;
    message_bytes = message_bytes < BYTES_MAX ? message_bytes : BYTES_MAX;
    in = aligned_alloc(4096, MESSAGES_MAX * BYTES_MAX);
    digests = aligned_alloc(4096, MESSAGES_MAX * 64 + PLACES * PLACE_BYTES);
    if (in == NULL || digests == NULL) {
        return EXIT_FAILURE;
    }
    memset(in, 7, MESSAGES_MAX * BYTES_MAX);
    for (size_t i = 0; i < MESSAGES_MAX; i++) {
        messages[i] = (fin_message){in + i * message_bytes, message_bytes};
    }
    observe_alone();
    chosen->run();
    return EXIT_SUCCESS;
}
