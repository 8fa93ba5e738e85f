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
    size_t sorted[FIN_WINDOW];
    size_t longest = 0;
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_batch_message(batch, window->index[i]).bytes;
        longest = bytes > longest ? bytes : longest;
    }
    unsigned shift = 6;
    while (longest >> shift >= LENGTHS) {
        shift++;
    }
    const size_t greatest = longest >> shift;
    memset(at, 0, (greatest + 2) * sizeof at[0]);
    for (size_t i = 0; i < window->count; i++) {
        at[greatest - (fin_batch_message(batch, window->index[i]).bytes >> shift) + 1]++;
    }
    for (size_t length = 0; length < greatest; length++) {
        at[length + 1] = (uint16_t)(at[length + 1] + at[length]);
    }
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_batch_message(batch, window->index[i]).bytes;
        sorted[at[greatest - (bytes >> shift)]++] = window->index[i];
    }
    memcpy(window->index, sorted, window->count * sizeof sorted[0]);
}

/* The coming messages that are not hashed yet. */
static void fin_window_fill(fin_window *window, fin_batch *batch, size_t unordered)
{
    window->count = window->taken = 0;
    for (; window->count < FIN_WINDOW && batch->next < batch->count; batch->next++) {
        window->index[window->count] = batch->next;
        window->count += !fin_batch_done(batch, batch->next);
    }
    if (window->count > unordered) {
        fin_window_sort(window, batch);
    }
}

bool fin_window_draw(fin_window *window, fin_batch *batch, size_t unordered, size_t *index)
{
    if (window->taken == window->count) {
        fin_window_fill(window, batch, unordered);
        if (window->count == 0) {
            return false;
        }
    }
    if (window->taken + FIN_LOOKAHEAD < window->count) {
        fin_prefetch(fin_batch_message(batch, window->index[window->taken + FIN_LOOKAHEAD]).in);
    }
    *index = window->index[window->taken++];
    return true;
}
