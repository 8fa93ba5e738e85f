/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The encoding of rows (docs/format/rows.md) of what DuckDB hands out, and the digests of rows. A
 * type is encoded as that to which DuckDB exports it by default: HUGEINT as a decimal, UUID as a
 * string.
 */
#ifndef FIN_DUCKDB_ROWS_H
#define FIN_DUCKDB_ROWS_H

#include "api.h"

#include <finalist.h>

extern duckdb_api api;

enum { ROW_VERSION_FLAT = 1, ROW_VERSION_NESTED = 2 };

/* A column, or the values in lists and structs. */
typedef struct values {
    duckdb_type type;
    int kind; /* of the type; `stored`: that as which decimals and enums lie in memory */
    int stored;
    int scale;
    uint64_t array_size;
    const void *data;
    const uint64_t *validity;
    struct values *children;
    char **names; /* of a struct's fields */
    size_t child_count;
} values;

/* Bytes that grow. is_whole is false once memory was not to be had. */
typedef struct bytes {
    uint8_t *data;
    size_t count;
    size_t capacity;
    bool is_whole;
} bytes;

/* Appends bytes. */
void bytes_put(bytes *out, const void *data, size_t count);

/* Appends a string's encoding. */
void put_string(bytes *out, const char *text);

/* Appends an integer's encoding, or the count of a list: by their tags. */
enum { TAG_INTEGER = 2, TAG_BINARY = 5, TAG_STRING = 6, TAG_LIST = 15 };
void put_tagged(bytes *out, uint8_t tag, uint64_t value);

/* Refers to a vector's values. An error's text, null if there is none; close in both cases. */
const char *values_open(values *values, duckdb_vector vector);
void values_close(values *values);

/* True if the value is not null. */
bool has_value(const values *values, uint64_t row);

/* The version that the type of the values needs. */
uint8_t version_of(const values *values);

/*
 * Hashes the rows [first, end) of these columns, in the order of `rows` if that is not null. Returns
 * an error's text, null if there is none.
 */
const char *hash_rows_of(const values *columns, size_t column_count, uint8_t version,
                         const uint64_t *rows, uint64_t first, uint64_t end,
                         fin_algorithm algorithm, const fin_params *params, uint8_t *digests,
                         size_t stride);

/* Adds row_NAME for an algorithm. */
bool add_row_function(duckdb_connection connection, const fin_algorithm_info *algorithm);

/* Adds digest_agg. */
bool add_aggregate(duckdb_connection connection);

/* Allocates bytes for the digests of rows from `row` on, as long as the result lives. */
uint8_t *allocate_digests(duckdb_vector result, uint64_t row, size_t bytes);

/* Lets a row of the result refer to its digest. */
void refer_to_digest(duckdb_string *result, uint8_t *digest, size_t bytes);

#endif
