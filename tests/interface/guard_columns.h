/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Part of guard.c: columns of every layout. Data, offsets, views, buffers, validity and the column
 * itself lie between inaccessible pages.
 */

enum { ITEM_BYTES = 16, VALIDITY_OFFSET = 3 };

static region column_of, items, buffers, validity;

static void open_column_regions(void)
{
    column_of = region_open(sizeof(fin_column));
    items = region_open((COUNT_MAX + 1) * ITEM_BYTES);
    buffers = region_open(sizeof(fin_buffer));
    validity = region_of_input((VALIDITY_OFFSET + COUNT_MAX + 7) / 8);
}

/* Returns offsets of 4 or 8 bytes for `count` values of these lengths. */
static void *offsets_of(const size_t *lengths, size_t count, size_t offset_bytes)
{
    uint8_t *to = place(&items, (count + 1) * offset_bytes);
    uint64_t at = 0;
    for (size_t i = 0; i <= count; i++) {
        const uint32_t at32 = (uint32_t)at;
        memcpy(to + i * offset_bytes, offset_bytes == 4 ? (const void *)&at32 : (const void *)&at,
               offset_bytes);
        at += i < count ? lengths[i] : 0;
    }
    return to;
}

/* Returns Arrow's views: a length, then up to twelve bytes, or a prefix, a buffer index and an
   offset. */
static void *views_of(const size_t *lengths, size_t count, const uint8_t *data)
{
    uint8_t *to = place(&items, count * ITEM_BYTES);
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t view[4] = {(uint32_t)lengths[i], 0, 0, at};
        memcpy(&view[1], data + at, lengths[i] < 4 ? lengths[i] : 4);
        if (lengths[i] <= 12) {
            memcpy(&view[1], data + at, lengths[i]);
        }
        memcpy(to + i * ITEM_BYTES, view, sizeof view);
        at += (uint32_t)lengths[i];
    }
    return to;
}

static void columns(size_t count, bool equal)
{
    size_t lengths[COUNT_MAX], sum = 0;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = equal ? length : check_random_below(length + 1);
        sum += lengths[i];
    }
    const uint8_t *data = place(&input, sum);
    fin_buffer *buffer = place(&buffers, sizeof *buffer);
    *buffer = (fin_buffer){data, sum};
    for (int layout = FIN_COLUMN_OFFSETS32; layout <= FIN_COLUMN_FIXED; layout++) {
        fin_column *column = place(&column_of, sizeof *column);
        *column = (fin_column){.layout = (fin_column_layout)layout};
        switch (column->layout) {
        case FIN_COLUMN_OFFSETS32:
        case FIN_COLUMN_OFFSETS64:
            column->items = offsets_of(lengths, count, layout == FIN_COLUMN_OFFSETS32 ? 4 : 8);
            break;
        case FIN_COLUMN_VIEWS:
            column->items = views_of(lengths, count, data);
            column->buffers = buffer;
            column->buffer_count = 1;
            break;
        default:
            column->width = equal ? length : 0;
            break;
        }
        if (layout != FIN_COLUMN_VIEWS) {
            column->data = data;
            column->data_bytes = sum;
        }
        uint8_t *digests = place(&outputs, count * digest_bytes);
        MUST(fin_hash_column, info->algorithm, params, column, count, digests, digest_bytes);
        column->validity = place(&validity, (VALIDITY_OFFSET + count + 7) / 8);
        column->validity_offset = VALIDITY_OFFSET;
        MUST(fin_hash_column, info->algorithm, params, column, count, digests, digest_bytes);
    }
}
