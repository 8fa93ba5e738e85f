/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares fin_hash_column with fin_hash on each value: every layout, slices, null values, keys,
 * data at the end of its allocation, through every implementation; and columns with invalid offsets
 * or views.
 */
#include "check.h"

enum { VALUES = 700, BYTES_MAX = 600, DIGEST_MAX = 64, BUFFERS = 3 };

/* A random column in all layouts at once. */
typedef struct sample {
    uint8_t *data; /* all values except fixed ones, without a spare byte */
    size_t data_bytes;
    int32_t offsets32[VALUES + 1];
    int64_t offsets64[VALUES + 1];
    uint8_t views[16 * VALUES];
    uint8_t validity[VALUES / 8 + 2];
    fin_buffer buffers[BUFFERS];
} sample;

static sample shared;

static void set_view(sample *s, size_t i, const uint8_t *value, int32_t bytes)
{
    uint8_t *view = s->views + 16 * i;
    memset(view, 0, 16);
    memcpy(view, &bytes, sizeof bytes);
    if (bytes <= 12) {
        memcpy(view + 4, value, (size_t)bytes);
        return;
    }
    /* Each buffer starts at another byte of the data. */
    const int32_t buffer = (int32_t)check_random_below(BUFFERS);
    const int32_t offset = (int32_t)(value - (const uint8_t *)s->buffers[buffer].data);
    memcpy(view + 4, value, 4);
    memcpy(view + 8, &(int32_t){offset < 0 ? 0 : buffer}, 4);
    memcpy(view + 12, &(int32_t){offset < 0 ? (int32_t)(value - s->data) : offset}, 4);
}

static void make(sample *s, size_t longest)
{
    free(s->data);
    s->data_bytes = 0;
    s->offsets32[0] = 0;
    s->offsets64[0] = 0;
    for (size_t i = 0; i < VALUES; i++) {
        s->data_bytes += check_random_below(i % 50 == 7 ? BYTES_MAX : longest + 1);
        s->offsets32[i + 1] = (int32_t)s->data_bytes;
        s->offsets64[i + 1] = (int64_t)s->data_bytes;
    }
    s->data = check_allocate(s->data_bytes);
    check_random_bytes(s->data, s->data_bytes);
    check_random_bytes(s->validity, sizeof s->validity);
    for (size_t i = 0; i < BUFFERS; i++) {
        const size_t from = i * (s->data_bytes / 4);
        s->buffers[i] = (fin_buffer){s->data + from, s->data_bytes - from};
    }
    for (size_t i = 0; i < VALUES; i++) {
        set_view(s, i, s->data + s->offsets32[i], s->offsets32[i + 1] - s->offsets32[i]);
    }
}

/* Returns the column from value `first` on. */
static fin_column column_of(const sample *s, fin_column_layout layout, size_t width, size_t first,
                            bool nulls)
{
    fin_column column = {.layout = layout,
                         .data = s->data,
                         .data_bytes = s->data_bytes,
                         .width = width,
                         .buffers = s->buffers,
                         .buffer_count = BUFFERS,
                         .validity = nulls ? s->validity : NULL,
                         .validity_offset = first};
    switch (layout) {
    case FIN_COLUMN_OFFSETS32:
        column.items = s->offsets32 + first;
        break;
    case FIN_COLUMN_OFFSETS64:
        column.items = s->offsets64 + first;
        break;
    case FIN_COLUMN_VIEWS:
        column.items = s->views + 16 * first;
        break;
    default:
        column.data = s->data + width * first;
        column.data_bytes -= width * first;
    }
    return column;
}

static void compare(const sample *s, fin_algorithm algorithm, const fin_params *params,
                    const fin_column *column, size_t first, size_t count)
{
    static uint8_t digests[VALUES * (DIGEST_MAX + 3)];
    const size_t stride = DIGEST_MAX + 3;
    size_t bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    bytes = params != NULL && params->digest_bytes != 0 ? (size_t)params->digest_bytes : bytes;
    memset(digests, 0xee, sizeof digests);
    CHECK_STATUS(FIN_OK, fin_hash_column(algorithm, params, column, count, digests, stride));
    for (size_t i = 0; i < count; i++) {
        const size_t at = first + i;
        const bool has = column->validity == NULL || (s->validity[at / 8] >> at % 8 & 1) != 0;
        const bool fixed = column->layout == FIN_COLUMN_FIXED;
        const uint8_t *in = fixed ? s->data + column->width * at : s->data + s->offsets32[at];
        const size_t length =
            fixed ? column->width : (size_t)(s->offsets32[at + 1] - s->offsets32[at]);
        uint8_t expected[DIGEST_MAX] = {0};
        if (has) {
            (void)CHECK_NEEDED(fin_hash(algorithm, params, in, length, expected, sizeof expected) ==
                               FIN_OK);
        }
        if (!CHECK_BYTES(expected, digests + i * stride, bytes) ||
            !CHECK(digests[i * stride + bytes] == 0xee)) {
            return;
        }
    }
}

static void every_layout(fin_algorithm algorithm)
{
    static const size_t lengths[] = {0, 40, 130};
    static const uint8_t key[64] = {1, 2, 3};
    const size_t key_bytes = fin_algorithm_describe(algorithm)->key_bytes_max;
    const bool keyed = key_bytes != 0;
    const fin_params params = {.key = key, .key_bytes = key_bytes, .digest_bytes = 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        make(&shared, lengths[i]);
        for (int layout = FIN_COLUMN_OFFSETS32; layout <= FIN_COLUMN_FIXED; layout++) {
            const size_t width = layout == FIN_COLUMN_FIXED ? shared.data_bytes / VALUES : 0;
            for (int nulls = 0; nulls < 2; nulls++) {
                const size_t first = check_random_below(VALUES);
                const size_t count = check_random_below(VALUES - first + 1);
                const fin_column column =
                    column_of(&shared, (fin_column_layout)layout, width, first, nulls != 0);
                compare(&shared, algorithm, keyed && nulls != 0 ? &params : NULL, &column, first,
                        count);
            }
        }
    }
}

/* Tests values and validity bits 2^32 bytes and more after the addresses that the column names. These
   have no memory, and nothing there is read. */
static void far_values(fin_algorithm algorithm)
{
    static int64_t offsets[VALUES + 1];
    const uint64_t bytes = UINT64_C(1) << 32;
    make(&shared, 40);
    if (SIZE_MAX == UINT32_MAX || (uintptr_t)shared.data < bytes ||
        (uintptr_t)shared.validity < bytes) {
        return;
    }
    for (int layout = FIN_COLUMN_OFFSETS32; layout <= FIN_COLUMN_VIEWS; layout++) {
        fin_column column = column_of(&shared, (fin_column_layout)layout, 0, 0, true);
        column.validity = (const uint8_t *)((uintptr_t)shared.validity - (uintptr_t)bytes);
        column.validity_offset = 8 * bytes;
        if (layout == FIN_COLUMN_OFFSETS64) {
            for (size_t i = 0; i <= VALUES; i++) {
                offsets[i] = shared.offsets64[i] + (int64_t)bytes;
            }
            column.items = offsets;
            column.data = (const uint8_t *)((uintptr_t)shared.data - (uintptr_t)bytes);
            column.data_bytes += bytes;
        }
        check_context("far values, %s, layout %d", fin_algorithm_describe(algorithm)->name, layout);
        compare(&shared, algorithm, NULL, &column, 0, VALUES);
        compare(&shared, algorithm, NULL, &column, 0, 1);
    }
}

/* Tests values of more than a chunk of BLAKE3 with nulls between them: no group can take them. */
static void long_values(void)
{
    enum { COUNT = 40, WIDTH = 2500 };
    static const uint8_t validity[COUNT / 8] = {0xa5, 0, 0xff, 0x0f, 0x80};
    static uint8_t data[COUNT * WIDTH], digests[COUNT * 32], expected[32];
    const fin_column column = {.layout = FIN_COLUMN_FIXED,
                               .data = data,
                               .data_bytes = sizeof data,
                               .width = WIDTH,
                               .validity = validity};
    check_random_bytes(data, sizeof data);
    check_context("long values");
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE3, NULL, &column, COUNT, digests, 32));
    for (size_t i = 0; i < COUNT; i++) {
        const uint8_t *value = data + i * WIDTH;
        memset(expected, 0, sizeof expected);
        if ((validity[i / 8] >> i % 8 & 1) != 0) {
            (void)CHECK_NEEDED(fin_hash(FIN_BLAKE3, NULL, value, WIDTH, expected, 32) == FIN_OK);
        }
        CHECK_BYTES(expected, digests + 32 * i, 32);
    }
}

/* Tests empty values only: no data, no buffers, views without them. */
static void without_data(fin_algorithm algorithm)
{
    enum { COUNT = 200 };
    static const uint8_t zeros[16 * COUNT + 16];
    static uint8_t views[16 * COUNT], digests[COUNT * DIGEST_MAX];
    const fin_buffer none = {NULL, 0};
    const size_t bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    uint8_t expected[DIGEST_MAX];
    (void)CHECK_NEEDED(fin_hash(algorithm, NULL, NULL, 0, expected, sizeof expected) == FIN_OK);
    for (size_t i = 0; i < COUNT; i++) {
        memset(views + 16 * i + 4, 0xff, 12); /* must not be read in an empty view */
    }
    for (int layout = FIN_COLUMN_OFFSETS32; layout <= FIN_COLUMN_FIXED; layout++) {
        const bool is_views = layout == FIN_COLUMN_VIEWS;
        for (unsigned with = 0; with < 4; with++) {
            const fin_column column = {.layout = (fin_column_layout)layout,
                                       .data = (with & 1) != 0 ? views : NULL,
                                       .items = layout == FIN_COLUMN_FIXED ? NULL
                                                : is_views                 ? views
                                                                           : zeros,
                                       .buffers = (with & 1) != 0 ? &none : NULL,
                                       .buffer_count = (with & 1) != 0 ? 1 : 0,
                                       .validity = (with & 2) != 0 ? zeros : NULL};
            static const uint8_t nothing[DIGEST_MAX];
            for (size_t count = 0; count <= COUNT; count += count < 3 ? 1 : 197) {
                memset(digests, 0xee, sizeof digests);
                CHECK_STATUS(FIN_OK,
                             fin_hash_column(algorithm, NULL, &column, count, digests, bytes));
                for (size_t i = 0; i < count; i++) {
                    const uint8_t *digest = (with & 2) != 0 ? nothing : expected;
                    CHECK_BYTES(digest, digests + i * bytes, bytes);
                }
                CHECK(count == COUNT || digests[count * bytes] == 0xee);
            }
        }
    }
}

/* Tests null data, buffers and items that the column refers to. */
static void null_pointers(void)
{
    uint8_t digests[2 * 32], views[32] = {0};
    const int32_t offsets[3] = {0, 0, 0};
    const fin_buffer none = {NULL, 0}, lying = {NULL, 100}, some = {views, sizeof views};
    const fin_column by_offsets = {.data_bytes = 1, .items = offsets};
    fin_column column = by_offsets;
    memcpy(views, &(int32_t){13}, 4);
    check_context("null pointers");
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.layout = FIN_COLUMN_OFFSETS64;
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &column, 1, digests, 32));
    column.layout = FIN_COLUMN_FIXED;
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column = (fin_column){.layout = FIN_COLUMN_VIEWS, .items = views};
    CHECK_STATUS(FIN_ERR_COLUMN, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.buffer_count = 1;
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.buffers = &none;
    CHECK_STATUS(FIN_ERR_COLUMN, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.buffers = &lying;
    CHECK_STATUS(FIN_ERR_COLUMN, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.buffers = &some;
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    column.items = NULL;
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, 32));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &by_offsets, 2, NULL, 32));
}

/* Tests wrong offsets and views: nothing may be read outside or written. */
static void lies(void)
{
    static uint8_t digests[VALUES * 32];
    make(&shared, 100);
    const size_t count = 10;
    const int32_t backwards[] = {0, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13};
    const int32_t negative[] = {-1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    const int64_t beyond[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, (int64_t)shared.data_bytes + 1};
    fin_column columns[9];
    for (size_t i = 0; i < 9; i++) {
        columns[i] = column_of(&shared, FIN_COLUMN_OFFSETS32, 0, 0, false);
    }
    columns[0].items = backwards;
    columns[1].items = negative;
    columns[2].layout = FIN_COLUMN_OFFSETS64;
    columns[2].items = beyond;
    columns[3].layout = (fin_column_layout)9;
    columns[4].layout = FIN_COLUMN_FIXED;
    columns[4].width = shared.data_bytes / count + 1;
    uint8_t views[16 * VALUES];
    memcpy(views, shared.views, sizeof views);
    memcpy(views, &(int32_t){-1}, 4);
    columns[5] = column_of(&shared, FIN_COLUMN_VIEWS, 0, 0, false);
    columns[5].items = views;
    uint8_t far[16 * VALUES];
    memcpy(far, shared.views, sizeof far);
    memcpy(far, &(int32_t){13}, 4);
    memcpy(far + 8, &(int32_t){BUFFERS}, 4);
    columns[6] = columns[5];
    columns[6].items = far;
    uint8_t edge[16 * VALUES]; /* 13 bytes at the buffer's end, then one byte further */
    memcpy(edge, shared.views, sizeof edge);
    memcpy(edge, &(int32_t){13}, 4);
    memcpy(edge + 8, &(int32_t){0}, 4);
    memcpy(edge + 12, &(int32_t){(int32_t)shared.data_bytes - 13}, 4);
    columns[7] = columns[5];
    columns[7].items = edge;
    uint8_t before[16 * VALUES]; /* 13 bytes from the one before the buffer on */
    memcpy(before, edge, sizeof before);
    memcpy(before + 12, &(int32_t){-1}, 4);
    columns[8] = columns[5];
    columns[8].items = before;
    check_context("lie 7, not yet");
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE2S, NULL, &columns[7], count, digests, 32));
    memcpy(edge + 12, &(int32_t){(int32_t)shared.data_bytes - 12}, 4);
    memset(digests, 0xee, sizeof digests);
    for (size_t i = 0; i < 9; i++) {
        check_context("lie %d", (int)i);
        CHECK_STATUS(FIN_ERR_COLUMN,
                     fin_hash_column(FIN_BLAKE2S, NULL, &columns[i], count, digests, 32));
        CHECK(digests[0] == 0xee);
    }
    columns[0].items = NULL;
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, &columns[0], count, digests, 32));
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE2S, NULL, &columns[0], 0, digests, 32));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(FIN_BLAKE2S, NULL, NULL, 1, digests, 32));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_hash_column(FIN_BLAKE2S, NULL, &columns[1], count, digests, 31));
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        if (check_has_length(info)) {
            check_context("columns, %s", info->name);
            check_each_choice(info->algorithm, every_layout);
            check_each_choice(info->algorithm, without_data);
            check_each_choice(info->algorithm, far_values);
        }
    }
    if (check_part("lies")) {
        long_values();
        lies();
        null_pointers();
    }
    free(shared.data);
    return check_report();
}
