/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sorts the coming messages by length.
 */
#include "multi/window.h"

/* A counting sort by length in lines of 64 bytes, or in more where that gives too many lengths. */
static void fin_window_sort(fin_window *window, const fin_batch *batch)
{
    enum { LENGTHS = 256 };
    uint16_t at[LENGTHS + 1]; /* how many messages are longer */
    size_t longest = 0;
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_batch_message(batch, window->first + i).bytes;
        longest = bytes > longest ? bytes : longest;
    }
    unsigned shift = 6;
    while (longest >> shift >= LENGTHS) {
        shift++;
    }
    const size_t greatest = longest >> shift;
    memset(at, 0, (greatest + 2) * sizeof at[0]);
    for (size_t i = 0; i < window->count; i++) {
        at[greatest - (fin_batch_message(batch, window->first + i).bytes >> shift) + 1]++;
    }
    for (size_t length = 0; length < greatest; length++) {
        at[length + 1] = (uint16_t)(at[length + 1] + at[length]);
    }
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_batch_message(batch, window->first + i).bytes;
        window->order[at[greatest - (bytes >> shift)]++] = (uint8_t)i;
    }
}

static void fin_window_fill(fin_window *window, const fin_batch *batch, size_t unordered)
{
    const size_t left = batch->count - batch->next;
    window->first = batch->next;
    window->count = left < FIN_WINDOW ? left : FIN_WINDOW;
    window->taken = 0;
    if (window->count > unordered) {
        fin_window_sort(window, batch);
        return;
    }
    for (size_t i = 0; i < window->count; i++) {
        window->order[i] = (uint8_t)i;
    }
}

size_t fin_window_draw(fin_window *window, fin_batch *batch, size_t unordered)
{
    if (window->taken == window->count) {
        fin_window_fill(window, batch, unordered);
    }
    if (window->taken + FIN_LOOKAHEAD < window->count) {
        const size_t later = window->order[window->taken + FIN_LOOKAHEAD];
        fin_prefetch(fin_batch_message(batch, window->first + later).in);
    }
    batch->next++;
    return window->first + window->order[window->taken++];
}
