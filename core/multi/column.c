/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Columns: the addresses of their values, and checks that these are within the column's bytes.
 * Apache Arrow, columnar format, "Variable-size Binary Layout" and "Variable-size Binary View
 * Layout".
 */
#include "multi/source.h"

/* A view: the length, then either the value, up to twelve bytes, or its first four, the index of a
   buffer and an offset into it. */
enum {
    FIN_VIEW_BYTES = 16,
    FIN_VIEW_INLINE_BYTES = 12,
    FIN_VIEW_INLINE_AT = 4,
    FIN_VIEW_BUFFER_AT = 8,
    FIN_VIEW_OFFSET_AT = 12
};

static inline int32_t fin_load_i32(const uint8_t *p)
{
    int32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline int64_t fin_load_i64(const uint8_t *p)
{
    int64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline int64_t fin_column_offset(const fin_column *column, size_t index)
{
    const uint8_t *items = column->items;
    return column->layout == FIN_COLUMN_OFFSETS32 ? fin_load_i32(items + 4 * index)
                                                  : fin_load_i64(items + 8 * index);
}

const uint8_t *fin_column_value(const fin_column *column, size_t index, size_t *bytes)
{
    const uint8_t *data = column->data;
    if (column->layout == FIN_COLUMN_FIXED) {
        *bytes = column->width;
        return column->width != 0 ? data + index * column->width : NULL;
    }
    if (column->layout == FIN_COLUMN_VIEWS) {
        const uint8_t *view = (const uint8_t *)column->items + FIN_VIEW_BYTES * index;
        *bytes = (size_t)fin_load_i32(view);
        if (*bytes <= FIN_VIEW_INLINE_BYTES) {
            return view + FIN_VIEW_INLINE_AT;
        }
        const fin_buffer *buffer = &column->buffers[fin_load_i32(view + FIN_VIEW_BUFFER_AT)];
        return (const uint8_t *)buffer->data + (size_t)fin_load_i32(view + FIN_VIEW_OFFSET_AT);
    }
    const int64_t from = fin_column_offset(column, index);
    const int64_t to = fin_column_offset(column, index + 1);
    *bytes = (size_t)(to - from);
    return to != from ? data + from : NULL;
}

/* ---- Descriptors ---- */

#define FIN_DESCRIBE_OFFSETS(bits)                                                            \
    static void fin_describe_offsets##bits(fin_message_arrays *arrays, const uint8_t *data,   \
                                           const uint8_t *offsets, size_t count)              \
    {                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                  \
            const int##bits##_t from = fin_load_i##bits(offsets + (bits) / 8 * i);            \
            const int##bits##_t to = fin_load_i##bits(offsets + (bits) / 8 * (i + 1));        \
            arrays->in[i] = data + from;                                                      \
            arrays->bytes[i] = fin_bytes_if_short((uint##bits##_t)to - (uint##bits##_t)from); \
        }                                                                                     \
    }
FIN_DESCRIBE_OFFSETS(32)
FIN_DESCRIBE_OFFSETS(64)

static void fin_describe_views(fin_message_arrays *arrays, const fin_column *column, size_t first,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes = 0;
        arrays->in[i] = fin_column_has(column, first + i)
                            ? fin_column_value(column, first + i, &bytes)
                            : (const uint8_t *)column;
        arrays->bytes[i] = fin_bytes_if_short(bytes);
    }
}

void fin_column_describe(const fin_column *column, size_t first, size_t count,
                         fin_message_arrays *arrays)
{
    const uint8_t *data = fin_in_or(column->data, column);
    const uint8_t *items = column->items;
    if (column->layout == FIN_COLUMN_FIXED) {
        fin_arrays_of_equal(arrays, data + first * column->width, column->width, count);
    } else if (column->layout == FIN_COLUMN_OFFSETS32) {
        fin_describe_offsets32(arrays, data, items + 4 * first, count);
    } else if (column->layout == FIN_COLUMN_OFFSETS64) {
        fin_describe_offsets64(arrays, data, items + 8 * first, count);
    } else {
        fin_describe_views(arrays, column, first, count);
    }
    for (size_t i = 0; column->validity != NULL && i < count; i++) {
        if (!fin_column_has(column, first + i)) {
            arrays->bytes[i] = FIN_BYTES_NOT_SHORT;
        }
    }
}

void fin_column_prefetch(const fin_column *column, size_t first, size_t count)
{
    if (column->layout == FIN_COLUMN_VIEWS) {
        for (size_t i = first; i < first + count; i++) {
            if (fin_column_has(column, i)) {
                size_t bytes;
                const uint8_t *in = fin_column_value(column, i, &bytes);
                fin_prefetch_ends(in, bytes);
            }
        }
        return;
    }
    const size_t width = column->width;
    const bool fixed = column->layout == FIN_COLUMN_FIXED;
    const size_t from = fixed ? first * width : (size_t)fin_column_offset(column, first);
    const size_t to =
        fixed ? (first + count) * width : (size_t)fin_column_offset(column, first + count);
    fin_prefetch_range(fin_in_or(column->data, column) + from, to - from, 2 * count);
}

/* ---- Checks ---- */

static bool fin_view_valid(const fin_column *column, size_t index)
{
    const uint8_t *view = (const uint8_t *)column->items + FIN_VIEW_BYTES * index;
    const int64_t bytes = fin_load_i32(view);
    if (bytes <= FIN_VIEW_INLINE_BYTES) {
        return bytes >= 0;
    }
    const int64_t number = fin_load_i32(view + FIN_VIEW_BUFFER_AT);
    const int64_t offset = fin_load_i32(view + FIN_VIEW_OFFSET_AT);
    if (number < 0 || offset < 0 || (uint64_t)number >= column->buffer_count) {
        return false;
    }
    const fin_buffer *buffer = &column->buffers[number];
    const uint64_t end = (uint64_t)(offset + bytes);
    return buffer->data != NULL && end <= buffer->bytes && fin_in_memory(buffer->data, end);
}

static fin_status fin_check_views(const fin_column *column, size_t count, size_t *bytes_min,
                                  size_t *bytes_max)
{
    for (size_t i = 0; i < count; i++) {
        if (!fin_column_has(column, i)) {
            continue;
        }
        if (!fin_view_valid(column, i)) {
            return FIN_ERR_COLUMN;
        }
        const uint8_t *view = (const uint8_t *)column->items + FIN_VIEW_BYTES * i;
        const size_t bytes = (size_t)fin_load_i32(view);
        *bytes_min = bytes < *bytes_min ? bytes : *bytes_min;
        *bytes_max = bytes > *bytes_max ? bytes : *bytes_max;
    }
    return FIN_OK;
}

/* Checks count + 1 offsets and finds the lengths' range, without a branch. While no offset is
   negative, a difference is negative exactly if the offsets decrease. */
#define FIN_CHECK_OFFSETS(bits)                                                        \
    static bool fin_offsets##bits##_valid(const uint8_t *offsets, size_t count,        \
                                          uint64_t data_bytes, size_t *bytes_min,      \
                                          size_t *bytes_max)                           \
    {                                                                                  \
        const int##bits##_t end = fin_load_i##bits(offsets + (bits) / 8 * count);      \
        int##bits##_t signs = end, least = INT##bits##_MAX, most = 0;                  \
        for (size_t i = 0; i < count; i++) {                                           \
            const int##bits##_t from = fin_load_i##bits(offsets + (bits) / 8 * i);     \
            const int##bits##_t to = fin_load_i##bits(offsets + (bits) / 8 * (i + 1)); \
            const int##bits##_t bytes =                                                \
                (int##bits##_t)((uint##bits##_t)to - (uint##bits##_t)from);            \
            signs |= from | bytes;                                                     \
            least = bytes < least ? bytes : least;                                     \
            most = bytes > most ? bytes : most;                                        \
        }                                                                              \
        *bytes_min = (size_t)least;                                                    \
        *bytes_max = (size_t)most;                                                     \
        return signs >= 0 && (uint64_t)end <= data_bytes;                              \
    }
FIN_CHECK_OFFSETS(32)
FIN_CHECK_OFFSETS(64)

/* True if no array of the column reaches beyond the last address. */
static bool fin_column_in_memory(const fin_column *column, size_t count)
{
    const bool offsets64 = column->layout == FIN_COLUMN_OFFSETS64;
    const size_t item_bytes = column->layout == FIN_COLUMN_VIEWS ? FIN_VIEW_BYTES
                              : offsets64                        ? 8
                                                                 : 4;
    uint64_t bits;
    if (column->validity != NULL && (!fin_sum(column->validity_offset, count, &bits) ||
                                     !fin_in_memory(column->validity, bits / 8 + 1))) {
        return false;
    }
    if (column->layout == FIN_COLUMN_VIEWS) {
        return fin_items_in_memory(column->items, count, item_bytes, item_bytes) &&
               fin_items_in_memory(column->buffers, column->buffer_count, sizeof *column->buffers,
                                   sizeof *column->buffers);
    }
    return fin_in_memory(column->data, column->data_bytes) &&
           (column->layout == FIN_COLUMN_FIXED ||
            fin_items_in_memory(column->items, count, item_bytes, 2 * item_bytes));
}

fin_status fin_column_check(const fin_column *column, size_t count, size_t *bytes_min,
                            size_t *bytes_max)
{
    *bytes_min = SIZE_MAX;
    *bytes_max = 0;
    const bool fixed = column->layout == FIN_COLUMN_FIXED;
    const bool views = column->layout == FIN_COLUMN_VIEWS;
    if ((unsigned)column->layout > FIN_COLUMN_FIXED) {
        return FIN_ERR_COLUMN;
    }
    if (count == 0) {
        return FIN_OK;
    }
    if ((!fixed && column->items == NULL) ||
        (!views && column->data == NULL && column->data_bytes != 0) ||
        (views && column->buffers == NULL && column->buffer_count != 0)) {
        return FIN_ERR_NULL;
    }
    if (!fin_column_in_memory(column, count)) {
        return FIN_ERR_COLUMN;
    }
    if (fixed) {
        *bytes_min = *bytes_max = column->width;
        return column->width != 0 && count > column->data_bytes / column->width ? FIN_ERR_COLUMN
                                                                                : FIN_OK;
    }
    if (views) {
        return fin_check_views(column, count, bytes_min, bytes_max);
    }
    const bool valid =
        column->layout == FIN_COLUMN_OFFSETS32
            ? fin_offsets32_valid(column->items, count, column->data_bytes, bytes_min, bytes_max)
            : fin_offsets64_valid(column->items, count, column->data_bytes, bytes_min, bytes_max);
    return valid ? FIN_OK : FIN_ERR_COLUMN;
}
