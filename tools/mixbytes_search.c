/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Searches all programs for Groestl's MixBytes whose layers are the same for every row:
 *
 *     mixbytes_search LAYERS
 *
 * Layer 0 is the state, a_i. Each further layer is, for all i, an XOR of two or three terms or of a
 * doubled term and another, where a term is a row i + k (modulo 8) of an earlier layer:
 *
 *     x_i = y_(i+j) + z_(i+k)    or    y_(i+j) + z_(i+k) + w_(i+l)    or    2 y_(i+j) + z_(i+k)
 *
 * Only relative rows matter, so the first term has j = 0, and MixBytes may come out with its rows
 * rotated. Prints every program with that many layers, and the number tried.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS_MAX = 6 };

/* Row 0 of a layer as a combination of a_0 .. a_7: byte k is the factor of a_k in GF(2^8). */
typedef uint64_t layer;

static layer of_layer[LAYERS_MAX + 1];
static char text[LAYERS_MAX + 1][64];
static uint64_t tried, found;
static layer wanted;

static layer turned(layer x, unsigned k)
{
    return k == 0 ? x : x << 8 * k | x >> (64 - 8 * k);
}

static layer doubled(layer x)
{
    const layer top = x >> 7 & UINT64_C(0x0101010101010101);
    return (x << 1 & UINT64_C(0xfefefefefefefefe)) ^ top * 0x1b;
}

/* Returns the same value for all rotations of a layer. */
static layer canonical(layer x)
{
    layer least = x;
    for (unsigned k = 1; k < 8; k++) {
        const layer other = turned(x, k);
        least = other < least ? other : least;
    }
    return least;
}

static void search(unsigned count, unsigned left);

static void try_layer(layer x, unsigned count, unsigned left)
{
    of_layer[count] = x;
    search(count + 1, left - 1);
}

/* Tries sums that begin with layer i, their terms strictly ascending. */
static void try_sums(unsigned i, unsigned count, unsigned left)
{
    for (unsigned place = 8 * i + 1; place < 8 * count; place++) {
        const layer two = of_layer[i] ^ turned(of_layer[place / 8], place % 8);
        snprintf(text[count], sizeof text[count], "%u(i) + %u(i+%u)", i, place / 8, place % 8);
        try_layer(two, count, left);
        for (unsigned third = place + 1; third < 8 * count; third++) {
            snprintf(text[count], sizeof text[count], "%u(i) + %u(i+%u) + %u(i+%u)", i, place / 8,
                     place % 8, third / 8, third % 8);
            try_layer(two ^ turned(of_layer[third / 8], third % 8), count, left);
        }
    }
}

static void try_doublings(unsigned i, unsigned count, unsigned left)
{
    const layer twice = doubled(of_layer[i]);
    for (unsigned place = 0; place < 8 * count; place++) {
        snprintf(text[count], sizeof text[count], "2 %u(i) + %u(i+%u)", i, place / 8, place % 8);
        try_layer(twice ^ turned(of_layer[place / 8], place % 8), count, left);
    }
}

/* Tries all programs that add `left` layers to the first `count`. */
static void search(unsigned count, unsigned left)
{
    if (left == 0) {
        tried++;
        if (canonical(of_layer[count - 1]) == wanted) {
            found++;
            for (unsigned i = 1; i < count; i++) {
                printf("%u(i) = %s%s", i, text[i], i + 1 < count ? ", " : "\n");
            }
        }
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        try_sums(i, count, left);
        try_doublings(i, count, left);
    }
}

int main(int argument_count, char **arguments)
{
    static const unsigned char factors[8] = {2, 2, 3, 4, 5, 3, 5, 7};
    const int layers = argument_count == 2 ? atoi(arguments[1]) : 0;
    if (layers < 1 || layers > LAYERS_MAX) {
        fprintf(stderr, "usage: mixbytes_search LAYERS (1 to %d)\n", LAYERS_MAX);
        return 2;
    }
    for (unsigned k = 0; k < 8; k++) {
        wanted |= (layer)factors[k] << 8 * k;
    }
    wanted = canonical(wanted);
    of_layer[0] = 1;
    search(1, (unsigned)layers);
    printf("%d layers: %" PRIu64 " programs tried, %" PRIu64 " found\n", layers, tried, found);
    return 0;
}
