/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Fuzzes the calls for many messages: fin_hash_many, fin_hash_nodes, fin_hash_equal, and columns in
 * all layouts, valid and invalid. Compares every digest with the reference. A call that fails must
 * write nothing, and no call may write between the digests.
 */
#include "input.h"

enum { MESSAGES_MAX = 70, DATA_MAX = 4096, DIGEST_MAX = 64, GAP = 3, PAINT = 0xee };

static fin_algorithm algorithm;
static parameters own;
static uint8_t data[DATA_MAX], digests[MESSAGES_MAX * (DIGEST_MAX + GAP)];
static size_t stride, digest_bytes;

static bool is_painted(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != PAINT) {
            return false;
        }
    }
    return true;
}

static void expect_digest(size_t index, const uint8_t *message, size_t bytes,
                          const fin_params *params)
{
    uint8_t expected[DIGEST_MAX];
    const uint8_t *digest = digests + index * stride;
    reference_hash(algorithm, params, message, bytes, expected);
    EXPECT(memcmp(digest, expected, digest_bytes) == 0);
    EXPECT(is_painted(digest + digest_bytes, stride - digest_bytes));
}

/* Returns a slice of data as a message. */
static fin_message take_message(input *in, size_t longest)
{
    const size_t bytes = take_up_to(in, longest);
    return (fin_message){data + take_number(in) % (DATA_MAX - bytes + 1), bytes};
}

static void many(input *in)
{
    fin_message messages[MESSAGES_MAX] = {{NULL, 0}};
    const size_t count = take_byte(in) % (MESSAGES_MAX + 1);
    const size_t longest = take_byte(in) % 2 == 0 ? 140 : 1500;
    for (size_t i = 0; i < count; i++) {
        messages[i] = take_message(in, longest);
    }
    EXPECT(fin_hash_many(algorithm, &own.params, messages, count, digests, stride) == FIN_OK);
    for (size_t i = 0; i < count; i++) {
        expect_digest(i, messages[i].in, messages[i].bytes, &own.params);
    }
}

static void nodes(input *in)
{
    fin_node list[MESSAGES_MAX] = {{.in = NULL}};
    const size_t count = take_byte(in) % (MESSAGES_MAX + 1);
    const bool wide = algorithm == FIN_BLAKE2B;
    if (own.params.tree_mode == NULL) {
        EXPECT(fin_hash_nodes(algorithm, &own.params, list, 0, digests, stride) ==
               FIN_ERR_TREE_MODE);
        return;
    }
    own.tree.node_offset = 0;
    own.tree.last_node = false;
    for (size_t i = 0; i < count; i++) {
        const fin_message message = take_message(in, 300);
        list[i] = (fin_node){message.in, message.bytes, take_wide(in) >> (wide ? 0 : 16),
                             take_byte(in) % 2 != 0};
    }
    EXPECT(fin_hash_nodes(algorithm, &own.params, list, count, digests, stride) == FIN_OK);
    for (size_t i = 0; i < count; i++) {
        fin_tree_mode tree = own.tree;
        fin_params params = own.params;
        tree.node_offset = list[i].node_offset;
        tree.last_node = list[i].last_node;
        params.tree_mode = &tree;
        expect_digest(i, list[i].in, list[i].bytes, &params);
    }
}

static void equal(input *in)
{
    static const fin_params plain;
    const size_t count = take_byte(in) % (MESSAGES_MAX + 1);
    const size_t bytes = take_up_to(in, DATA_MAX / MESSAGES_MAX);
    digest_bytes = (size_t)reference_digest_bytes(algorithm, &plain);
    stride = digest_bytes + GAP;
    EXPECT(fin_hash_equal(algorithm, NULL, data, bytes, count, digests, stride) == FIN_OK);
    for (size_t i = 0; i < count; i++) {
        expect_digest(i, data + i * bytes, bytes, &plain);
    }
}

/* ---- Columns ---- */

/* Finds value `index` of a column as Arrow's format defines it; false if it exceeds the column. */
static bool find_value(const fin_column *column, size_t index, const uint8_t **value, size_t *bytes)
{
    const uint8_t *items = column->items;
    *value = NULL;
    *bytes = 0;
    if (column->layout == FIN_COLUMN_FIXED) {
        *value = (const uint8_t *)column->data + index * column->width;
        *bytes = column->width;
        return (index + 1) * column->width <= column->data_bytes;
    }
    if (column->layout == FIN_COLUMN_VIEWS) {
        int32_t view[4];
        memcpy(view, items + 16 * index, 16);
        *bytes = (size_t)view[0];
        if (view[0] < 0) {
            return false;
        }
        if (view[0] <= 12) {
            *value = items + 16 * index + 4;
            return true;
        }
        if (view[2] < 0 || (size_t)view[2] >= column->buffer_count || view[3] < 0) {
            return false;
        }
        *value = (const uint8_t *)column->buffers[view[2]].data + view[3];
        return (uint64_t)view[0] + (uint64_t)view[3] <= column->buffers[view[2]].bytes;
    }
    int64_t ends[2];
    for (size_t i = 0; i < 2; i++) {
        int32_t narrow;
        if (column->layout == FIN_COLUMN_OFFSETS32) {
            memcpy(&narrow, items + 4 * (index + i), 4);
            ends[i] = narrow;
        } else {
            memcpy(&ends[i], items + 8 * (index + i), 8);
        }
    }
    if (ends[0] < 0 || ends[1] < ends[0] || (uint64_t)ends[1] > column->data_bytes) {
        return false;
    }
    *value = (const uint8_t *)column->data + ends[0];
    *bytes = (size_t)(ends[1] - ends[0]);
    return true;
}

/* Writes items of all kinds, most of them valid. */
static void take_items(input *in, const fin_column *column, uint8_t *items, size_t count)
{
    int64_t offset = 0;
    for (size_t i = 0; i <= count; i++) {
        const bool wild = take_byte(in) % 64 == 63;
        if (column->layout == FIN_COLUMN_VIEWS) {
            const size_t bytes = take_up_to(in, 200);
            const int32_t view[4] = {(int32_t)bytes, (int32_t)take_byte(in), take_byte(in) % 2,
                                     wild ? (int32_t)take_wide(in)
                                          : (int32_t)take_up_to(in, DATA_MAX / 2 - bytes)};
            memcpy(items + 16 * i, view, 16);
            continue;
        }
        const int64_t this = wild ? (int64_t)take_wide(in) : offset;
        const int32_t narrow = (int32_t)this;
        offset += (int64_t)take_up_to(in, DATA_MAX / (MESSAGES_MAX + 1));
        if (column->layout == FIN_COLUMN_OFFSETS32) {
            memcpy(items + 4 * i, &narrow, 4);
        } else {
            memcpy(items + 8 * i, &this, 8);
        }
    }
}

static void check_column(const fin_column *column, size_t count)
{
    const uint8_t *value;
    size_t bytes;
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bit = column->validity_offset + i;
        const bool there =
            column->validity == NULL || (column->validity[bit / 8] >> bit % 8 & 1) != 0;
        const bool looked_at = there || column->layout != FIN_COLUMN_VIEWS;
        valid = valid && (!looked_at || find_value(column, i, &value, &bytes));
    }
    const fin_status status =
        fin_hash_column(algorithm, &own.params, column, count, digests, stride);
    EXPECT(status == (valid ? FIN_OK : FIN_ERR_COLUMN));
    for (size_t i = 0; i < count && valid; i++) {
        const uint64_t bit = column->validity_offset + i;
        if (column->validity != NULL && (column->validity[bit / 8] >> bit % 8 & 1) == 0) {
            for (size_t k = 0; k < digest_bytes; k++) {
                EXPECT(digests[i * stride + k] == 0);
            }
        } else {
            (void)find_value(column, i, &value, &bytes);
            expect_digest(i, value, bytes, &own.params);
        }
    }
    EXPECT(valid || is_painted(digests, sizeof digests));
}

static void column(input *in)
{
    uint8_t items[16 * (MESSAGES_MAX + 1)], validity[32];
    const size_t count = take_byte(in) % (MESSAGES_MAX + 1);
    const uint8_t which = take_byte(in);
    const fin_buffer buffers[2] = {{data, DATA_MAX / 2}, {data + DATA_MAX / 2, DATA_MAX / 2}};
    fin_column c = {.layout = (fin_column_layout)(which % 4),
                    .data = data,
                    .data_bytes = (which & 64) != 0 ? take_number(in) % DATA_MAX : DATA_MAX,
                    .items = items,
                    .width = take_up_to(in, DATA_MAX / MESSAGES_MAX),
                    .buffers = buffers,
                    .buffer_count = (which & 32) != 0 ? 1 : 2,
                    .validity = (which & 16) != 0 ? validity : NULL,
                    .validity_offset = take_byte(in) % 128};
    take_filling(in, validity, sizeof validity);
    take_items(in, &c, items, count);
    check_column(&c, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    input in = {bytes, count};
    algorithm = take_algorithm(&in);
    take_parameters(&in, algorithm, DIGEST_MAX, &own);
    digest_bytes = (size_t)reference_digest_bytes(algorithm, &own.params);
    stride = digest_bytes + take_byte(&in) % (GAP + 1);
    take_filling(&in, data, sizeof data);
    memset(digests, PAINT, sizeof digests);
    take_implementation(&in, algorithm);
    switch (take_byte(&in) % 4) {
    case 0:
        many(&in);
        break;
    case 1:
        nodes(&in);
        break;
    case 2:
        equal(&in);
        break;
    default:
        column(&in);
    }
    EXPECT(fin_impl_select(algorithm, NULL) == FIN_OK);
    return 0;
}
