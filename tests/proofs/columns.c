/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: every value of a column that fin_column_check accepts lies within the column's bytes, and
 *   its descriptor is the same
 * Bounds: any offsets, views and widths, any bitmap, up to 2^40 bytes; three values, two buffers
 * Runs: LAYOUT=FIN_COLUMN_OFFSETS32 | LAYOUT=FIN_COLUMN_OFFSETS64 | LAYOUT=FIN_COLUMN_VIEWS
 * Runs: LAYOUT=FIN_COLUMN_FIXED
 * Options: --unwind 4
 * Faults: column-backwards column-view-end column-inline-edge
 */
#include "proof.h"

#include "multi/column.c"

enum { VALUES = 3, BUFFERS = 2 };

static const void *some_bytes(uint64_t bytes)
{
    PROOF_ASSUME(bytes <= (uint64_t)1 << 40);
    const void *p = malloc(bytes);
    PROOF_ASSUME(p != NULL);
    return p;
}

int main(void)
{
    fin_buffer buffers[BUFFERS];
    for (size_t i = 0; i < BUFFERS; i++) {
        buffers[i].bytes = proof_size();
        buffers[i].data = some_bytes(buffers[i].bytes);
    }
    uint64_t items[2 * VALUES];
    uint8_t validity[1];
    fin_column column = {.layout = LAYOUT, .buffers = buffers, .buffer_count = BUFFERS};
    const size_t item_bytes = LAYOUT == FIN_COLUMN_VIEWS       ? 16 * VALUES
                              : LAYOUT == FIN_COLUMN_OFFSETS64 ? 8 * (VALUES + 1)
                                                               : 4 * (VALUES + 1);
    column.items = (const uint8_t *)items + sizeof items - item_bytes;
    column.data_bytes = proof_size();
    column.data = some_bytes(column.data_bytes);
    column.width = proof_size();
    column.validity = proof_bool() ? validity : NULL;
    column.validity_offset = 8 - VALUES;
    size_t bytes_min, bytes_max;
    if (fin_column_check(&column, VALUES, &bytes_min, &bytes_max) != FIN_OK) {
        return 0;
    }
    const size_t index = proof_size();
    PROOF_ASSUME(index < VALUES && fin_column_has(&column, index));
    size_t bytes;
    const uint8_t *in = fin_column_value(&column, index, &bytes);
    PROOF_ASSERT(bytes == 0 || PROOF_READABLE(in, bytes), "a value lies within the column's bytes");
    PROOF_ASSERT(bytes >= bytes_min && bytes <= bytes_max,
                 "no value is shorter than the least length, or longer than the greatest");
    fin_message_arrays arrays;
    fin_column_describe(&column, 0, VALUES, &arrays);
    PROOF_ASSERT(arrays.bytes[index] == fin_bytes_if_short(bytes) &&
                     (bytes == 0 ? arrays.in[index] != NULL : arrays.in[index] == in),
                 "the descriptor is that of the value");
    return 0;
}
