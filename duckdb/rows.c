/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Encodes the rows of DuckDB's vectors (docs/format/rows.md) and hashes them.
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum {
    TAG_NULL = 0,
    TAG_BOOLEAN = 1,
    TAG_NEGATIVE = 3,
    TAG_FLOAT = 4,
    TAG_DATE = 7,
    TAG_TIME = 8,
    TAG_TIMESTAMP = 9,
    TAG_INSTANT = 10,
    TAG_DECIMAL = 12,
    TAG_WIDE_INTEGER = 13,
    TAG_STRUCT = 16,
    TAG_MAP = 17,
    TAG_INTERVAL = 18
};

enum { DEPTH_MAX = 64, UUID_BYTES = 36, LIST_BYTES_MAX = 1 << 30, BYTES_AT_ONCE = 1 << 18 };

enum { ROWS_AT_ONCE = 1024, SPARE_BYTES = 256, UNNAMED_BYTES_MAX = 32 };

static const char no_memory[] = "there is not enough memory";
static const char no_encoding[] =
    "its type has no encoding of rows, as TIMETZ, UHUGEINT, UNION and BIT: cast it to VARCHAR";
static const char too_deep[] = "it has lists or structs in more than 64 levels";
static const char too_long[] = "it has a list or map longer than 1 GiB";

/* ---- Bytes ---- */

void bytes_put(bytes *out, const void *data, size_t count)
{
    if (count > out->capacity - out->count && out->is_whole) {
        const size_t capacity = 2 * out->capacity + count + SPARE_BYTES;
        uint8_t *grown = realloc(out->data, capacity);
        out->is_whole = grown != NULL;
        if (out->is_whole) {
            out->data = grown;
            out->capacity = capacity;
        }
    }
    if (out->is_whole && count != 0) {
        memcpy(out->data + out->count, data, count);
        out->count += count;
    }
}

static void put_tag(bytes *out, uint8_t tag)
{
    bytes_put(out, &tag, 1);
}

void put_tagged(bytes *out, uint8_t tag, uint64_t value)
{
    uint8_t encoded[1 + sizeof value];
    encoded[0] = tag;
    for (size_t i = 0; i < sizeof value; i++) {
        encoded[1 + i] = (uint8_t)(value >> 8 * i);
    }
    bytes_put(out, encoded, sizeof encoded);
}

void put_string(bytes *out, const char *text)
{
    put_tagged(out, TAG_STRING, strlen(text));
    bytes_put(out, text, strlen(text));
}

static void put_little_endian(bytes *out, wide value, size_t count)
{
    uint8_t encoded[sizeof value];
    for (size_t i = 0; i < count; i++) {
        encoded[i] = (uint8_t)(value >> 8 * i);
    }
    bytes_put(out, encoded, count);
}

/* ---- Values ---- */

bool has_value(const values *values, uint64_t row)
{
    return values->kind != DUCKDB_SQLNULL &&
           (values->validity == NULL || (values->validity[row / 64] >> row % 64 & 1) != 0);
}

static const char *open_at(values *values, duckdb_vector vector, bool by_value, int depth);

/* Returns the name of a struct's field, as DuckDB exports it: row(1, 2) has none. */
static char *field_name(duckdb_type type, uint64_t index)
{
    char *name = api.struct_child_name(type, index);
    if (name != NULL && name[0] == '\0') {
        api.free(name);
        name = api.malloc(UNNAMED_BYTES_MAX);
        if (name != NULL) {
            (void)snprintf(name, UNNAMED_BYTES_MAX, "element%llu", (unsigned long long)index + 1);
        }
    }
    return name;
}

/* Opens the values in lists, arrays, maps and structs. */
static const char *open_children(values *values, duckdb_vector vector, int depth)
{
    const bool is_struct = values->kind == DUCKDB_STRUCT;
    const size_t count = is_struct ? api.struct_child_count(values->type) : 1;
    values->children = calloc(count, sizeof *values->children);
    values->names = (char **)calloc(count, sizeof *values->names);
    if (values->children == NULL || values->names == NULL) {
        return no_memory;
    }
    const char *error = NULL;
    for (size_t i = 0; i < count && error == NULL; i++) {
        duckdb_vector child = is_struct                      ? api.struct_child(vector, i)
                              : values->kind == DUCKDB_ARRAY ? api.array_child(vector)
                                                             : api.list_child(vector);
        values->names[i] = is_struct ? field_name(values->type, i) : NULL;
        values->child_count = i + 1;
        error = is_struct && values->names[i] == NULL
                    ? no_memory
                    : open_at(&values->children[i], child, values->by_value, depth + 1);
    }
    return error;
}

static const char *open_at(values *values, duckdb_vector vector, bool by_value, int depth)
{
    memset(values, 0, sizeof *values);
    values->type = api.vector_type(vector);
    values->kind = api.type_id(values->type);
    values->stored = values->kind;
    values->by_value = by_value;
    values->data = api.vector_data(vector);
    values->validity = api.vector_validity(vector);
    if (depth > DEPTH_MAX) {
        return too_deep;
    }
    switch (values->kind) {
    case DUCKDB_DECIMAL:
        values->scale = api.decimal_scale(values->type);
        values->stored = api.decimal_internal_type(values->type);
        return NULL;
    case DUCKDB_ENUM:
        values->stored = api.enum_internal_type(values->type);
        return NULL;
    case DUCKDB_ARRAY:
        values->array_size = api.array_size(values->type);
        return open_children(values, vector, depth);
    case DUCKDB_LIST:
    case DUCKDB_MAP:
    case DUCKDB_STRUCT:
        return open_children(values, vector, depth);
    case DUCKDB_UUID:
    case DUCKDB_TIMESTAMP_TZ:
    case DUCKDB_SQLNULL:
        return NULL;
    default:
        return values->kind >= DUCKDB_BOOLEAN && values->kind <= DUCKDB_TIMESTAMP_NS ? NULL
                                                                                     : no_encoding;
    }
}

const char *values_open(values *values, duckdb_vector vector, bool by_value)
{
    return open_at(values, vector, by_value, 0);
}

void values_close(values *values)
{
    for (size_t i = 0; i < values->child_count; i++) {
        api.free(values->names[i]);
        values_close(&values->children[i]);
    }
    free((void *)values->names);
    free(values->children);
    if (values->type != NULL) {
        api.destroy_logical_type(&values->type);
    }
    memset(values, 0, sizeof *values);
}

uint8_t version_of(const values *values)
{
    const bool is_nested = values->children != NULL || values->kind == DUCKDB_INTERVAL;
    return is_nested || values->by_value ? ROW_VERSION_NESTED : ROW_VERSION_FLAT;
}

/* ---- The encoding of a value ---- */

/* Returns the integer of a row in its stored form. */
static wide integer_at(const values *values, uint64_t row)
{
    switch (values->stored) {
    case DUCKDB_TINYINT:
        return ((const int8_t *)values->data)[row];
    case DUCKDB_SMALLINT:
        return ((const int16_t *)values->data)[row];
    case DUCKDB_INTEGER:
    case DUCKDB_DATE:
        return ((const int32_t *)values->data)[row];
    case DUCKDB_BOOLEAN:
    case DUCKDB_UTINYINT:
        return ((const uint8_t *)values->data)[row];
    case DUCKDB_USMALLINT:
        return ((const uint16_t *)values->data)[row];
    case DUCKDB_UINTEGER:
        return ((const uint32_t *)values->data)[row];
    case DUCKDB_UBIGINT:
        return ((const uint64_t *)values->data)[row];
    case DUCKDB_HUGEINT: {
        const duckdb_hugeint value = ((const duckdb_hugeint *)values->data)[row];
        return (wide)value.upper * ((wide)1 << 64) + value.lower;
    }
    default:
        return ((const int64_t *)values->data)[row];
    }
}

static void put_integer(bytes *out, wide value)
{
    if (value < INT64_MIN || value > (wide)UINT64_MAX) {
        put_tag(out, TAG_WIDE_INTEGER);
        put_little_endian(out, value, 16);
        put_little_endian(out, value < 0 ? -1 : 0, 16);
    } else {
        put_tagged(out, value < 0 ? TAG_NEGATIVE : TAG_INTEGER, (uint64_t)value);
    }
}

static void put_decimal(bytes *out, wide unscaled, int scale, bool by_value)
{
    wide power = 1;
    for (int i = 0; by_value && i < scale; i++) {
        power *= 10; /* DuckDB's scales are at most 38. */
    }
    if (by_value && unscaled % power == 0) {
        put_integer(out, unscaled / power);
        return;
    }
    scale = unscaled == 0 ? 0 : scale;
    while (unscaled != 0 && unscaled % 10 == 0) {
        unscaled /= 10;
        scale--;
    }
    put_tag(out, TAG_DECIMAL);
    put_little_endian(out, scale, 4);
    put_little_endian(out, unscaled, 16);
}

static void put_float(bytes *out, double value)
{
    uint64_t bits = 0;
    if (value != value) {
        bits = 0x7ff8000000000000; /* one NaN */
    } else if (value != 0) {
        memcpy(&bits, &value, sizeof bits);
    }
    put_tagged(out, TAG_FLOAT, bits);
}

static void put_text(bytes *out, uint8_t tag, const duckdb_string *value)
{
    const uint32_t count = value->inlined.bytes;
    put_tagged(out, tag, count);
    bytes_put(out, count <= DUCKDB_INLINED_BYTES_MAX ? value->inlined.value : value->pointer.value,
              count);
}

/* Appends a UUID's text. DuckDB stores it as a number with its highest bit flipped. */
static void put_uuid(bytes *out, duckdb_hugeint value)
{
    const uint64_t upper = (uint64_t)value.upper ^ (uint64_t)1 << 63;
    char text[UUID_BYTES + 1];
    (void)snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(upper >> 32),
                   (unsigned)(upper >> 16 & 0xffff), (unsigned)(upper & 0xffff),
                   (unsigned)(value.lower >> 48),
                   (unsigned long long)(value.lower & 0xffffffffffff));
    put_string(out, text);
}

static void put_interval(bytes *out, duckdb_interval value)
{
    put_tag(out, TAG_INTERVAL);
    put_little_endian(out, value.months, 4);
    put_little_endian(out, value.days, 4);
    put_little_endian(out, (wide)value.microseconds * 1000, 8);
}

static void put_time(bytes *out, uint8_t tag, wide value, int nanoseconds)
{
    put_tag(out, tag);
    put_little_endian(out, value * nanoseconds, 16);
}

/* Appends a scalar value. */
static void put_flat(bytes *out, const values *values, uint64_t row)
{
    switch (values->kind) {
    case DUCKDB_BOOLEAN:
        put_tag(out, TAG_BOOLEAN);
        put_tag(out, integer_at(values, row) != 0);
        return;
    case DUCKDB_FLOAT:
        put_float(out, (double)((const float *)values->data)[row]);
        return;
    case DUCKDB_DOUBLE:
        put_float(out, ((const double *)values->data)[row]);
        return;
    case DUCKDB_DATE:
        put_tagged(out, TAG_DATE, (uint64_t)integer_at(values, row));
        return;
    case DUCKDB_TIME:
        put_time(out, TAG_TIME, integer_at(values, row), 1000);
        return;
    case DUCKDB_TIMESTAMP:
        put_time(out, TAG_TIMESTAMP, integer_at(values, row), 1000);
        return;
    case DUCKDB_TIMESTAMP_S:
        put_time(out, TAG_TIMESTAMP, integer_at(values, row), 1000000000);
        return;
    case DUCKDB_TIMESTAMP_MS:
        put_time(out, TAG_TIMESTAMP, integer_at(values, row), 1000000);
        return;
    case DUCKDB_TIMESTAMP_NS:
        put_time(out, TAG_TIMESTAMP, integer_at(values, row), 1);
        return;
    case DUCKDB_TIMESTAMP_TZ:
        put_time(out, TAG_INSTANT, integer_at(values, row), 1000);
        return;
    case DUCKDB_DECIMAL:
    case DUCKDB_HUGEINT:
        put_decimal(out, integer_at(values, row), values->scale, values->by_value);
        return;
    case DUCKDB_INTERVAL:
        put_interval(out, ((const duckdb_interval *)values->data)[row]);
        return;
    case DUCKDB_UUID:
        put_uuid(out, ((const duckdb_hugeint *)values->data)[row]);
        return;
    case DUCKDB_BLOB:
    case DUCKDB_VARCHAR:
        put_text(out, values->kind == DUCKDB_BLOB ? TAG_BINARY : TAG_STRING,
                 &((const duckdb_string *)values->data)[row]);
        return;
    case DUCKDB_ENUM: {
        char *text = api.enum_value(values->type, (uint64_t)integer_at(values, row));
        put_string(out, text);
        api.free(text);
        return;
    }
    default:
        put_integer(out, integer_at(values, row));
    }
}

/* An entry of a map: start and length of its encoding. */
typedef struct entry {
    const uint8_t *data;
    size_t count;
} entry;

static int compare_entries(const void *one, const void *other)
{
    const entry *a = one, *b = other;
    const int order = memcmp(a->data, b->data, a->count < b->count ? a->count : b->count);
    return order != 0 ? order : (a->count > b->count) - (a->count < b->count);
}

static const char *put_value(bytes *out, const values *values, uint64_t row);

/* Appends the entries of a map, sorted by their bytes. */
static const char *put_map(bytes *out, const values *pairs, duckdb_list_entry list)
{
    bytes encoded = {.is_whole = true};
    entry *entries = calloc(list.count + 1, sizeof *entries);
    const char *error = entries == NULL ? no_memory : NULL;
    for (uint64_t i = 0; i < list.count && error == NULL; i++) {
        const size_t start = encoded.count;
        error = put_value(&encoded, &pairs->children[0], list.first + i);
        error = error != NULL ? error : put_value(&encoded, &pairs->children[1], list.first + i);
        entries[i].count = encoded.count - start;
        error = encoded.count > LIST_BYTES_MAX ? too_long : error;
    }
    error = error == NULL && !encoded.is_whole ? no_memory : error;
    if (error == NULL) {
        size_t start = 0;
        for (uint64_t i = 0; i < list.count; i++) {
            entries[i].data = encoded.data + start;
            start += entries[i].count;
        }
        qsort(entries, list.count, sizeof *entries, compare_entries);
        put_tagged(out, TAG_MAP, list.count);
        for (uint64_t i = 0; i < list.count; i++) {
            bytes_put(out, entries[i].data, entries[i].count);
        }
    }
    free(entries);
    free(encoded.data);
    return error;
}

static const char *put_list(bytes *out, const values *elements, duckdb_list_entry list)
{
    const size_t start = out->count;
    const char *error = NULL;
    put_tagged(out, TAG_LIST, list.count);
    for (uint64_t i = 0; i < list.count && error == NULL; i++) {
        error = put_value(out, elements, list.first + i);
        error = out->count - start > LIST_BYTES_MAX ? too_long : error;
    }
    return error;
}

static const char *put_struct(bytes *out, const values *values, uint64_t row)
{
    const char *error = NULL;
    put_tagged(out, TAG_STRUCT, values->child_count);
    for (size_t i = 0; i < values->child_count && error == NULL; i++) {
        put_little_endian(out, (wide)strlen(values->names[i]), 8);
        bytes_put(out, values->names[i], strlen(values->names[i]));
        error = put_value(out, &values->children[i], row);
    }
    return error;
}

static const char *put_value(bytes *out, const values *values, uint64_t row)
{
    if (!has_value(values, row)) {
        put_tag(out, TAG_NULL);
        return NULL;
    }
    switch (values->kind) {
    case DUCKDB_LIST:
        return put_list(out, values->children, ((const duckdb_list_entry *)values->data)[row]);
    case DUCKDB_MAP:
        return put_map(out, values->children, ((const duckdb_list_entry *)values->data)[row]);
    case DUCKDB_ARRAY:
        return put_list(out, values->children,
                        (duckdb_list_entry){row * values->array_size, values->array_size});
    case DUCKDB_STRUCT:
        return put_struct(out, values, row);
    default:
        put_flat(out, values, row);
        return NULL;
    }
}

/* ---- The digests of rows ---- */

const char *hash_rows_of(const values *columns, size_t column_count, uint8_t version,
                         const uint64_t *rows, uint64_t first, uint64_t end,
                         fin_algorithm algorithm, const fin_params *params, uint8_t *digests,
                         size_t stride, size_t *wrong)
{
    bytes out = {.is_whole = true};
    fin_message messages[ROWS_AT_ONCE];
    const char *error = NULL;
    *wrong = column_count;
    while (first < end && error == NULL) {
        size_t count = 0;
        out.count = 0;
        for (; first < end && count < ROWS_AT_ONCE && out.count < BYTES_AT_ONCE; first++, count++) {
            const size_t start = out.count;
            put_tag(&out, version);
            for (size_t i = 0; i < column_count && error == NULL; i++) {
                error = put_value(&out, &columns[i], rows != NULL ? rows[first] : first);
                *wrong = error != NULL ? i : column_count;
            }
            messages[count].bytes = out.count - start;
        }
        error = error == NULL && !out.is_whole ? no_memory : error;
        if (error != NULL) {
            break;
        }
        size_t start = 0;
        for (size_t i = 0; i < count; i++) {
            messages[i].in = out.data + start;
            start += messages[i].bytes;
        }
        const fin_status status =
            fin_hash_many(algorithm, params, messages, count, digests, stride);
        error = status == FIN_OK ? NULL : fin_status_text(status);
        digests += count * stride;
    }
    free(out.data);
    return error;
}
