/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sorts the next messages by length.
 */
#include "multi/window.h"

/* Sorts by length in units of 64 bytes, or larger ones if there are too many lengths: a counting
   sort. */
static void fin_window_sort(fin_window *window, const size_t *bytes, size_t longest)
{
    enum { LENGTHS = 256 };
    uint16_t at[LENGTHS + 1]; /* number of longer messages */
    size_t sorted[FIN_WINDOW];
    unsigned shift = 6;
    while (longest >> shift >= LENGTHS) {
        shift++;
    }
    const size_t greatest = longest >> shift;
    memset(at, 0, (greatest + 2) * sizeof at[0]);
    for (size_t i = 0; i < window->count; i++) {
        at[greatest - (bytes[i] >> shift) + 1]++;
    }
    for (size_t length = 0; length < greatest; length++) {
        at[length + 1] = (uint16_t)(at[length + 1] + at[length]);
    }
    for (size_t i = 0; i < window->count; i++) {
        sorted[at[greatest - (bytes[i] >> shift)]++] = window->index[i];
    }
    memcpy(window->index, sorted, window->count * sizeof sorted[0]);
}

/* Fills the window with the next messages. */
static FIN_NOINLINE void fin_window_fill(fin_window *window, fin_batch *batch, size_t unordered)
{
    size_t bytes[FIN_WINDOW];
    size_t longest = 0;
    window->count = window->taken = 0;
    for (; window->count < FIN_WINDOW && batch->next < batch->source.count; batch->next++) {
        fin_message_descriptor message;
        fin_source_message(&batch->source, batch->next, &message);
        if (message.digest != NULL && message.bytes >= batch->bytes_grouped) {
            window->index[window->count] = batch->next;
            bytes[window->count++] = message.bytes;
            longest = message.bytes > longest ? message.bytes : longest;
        }
    }
    if (window->count > unordered) {
        fin_window_sort(window, bytes, longest);
    }
}

bool fin_window_draw(fin_window *window, fin_batch *batch, size_t unordered,
                     fin_message_descriptor *message)
{
    if (window->taken == window->count) {
        fin_window_fill(window, batch, unordered);
        if (window->count == 0) {
            return false;
        }
    }
    if (window->taken + FIN_LOOKAHEAD < window->count) {
        fin_source_message(&batch->source, window->index[window->taken + FIN_LOOKAHEAD], message);
        fin_prefetch(message->in);
    }
    fin_source_message(&batch->source, window->index[window->taken++], message);
    return true;
}
