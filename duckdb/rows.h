/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The encoding (docs/format/rows.md) and the digests of rows in DuckDB's vectors. A value is
 * encoded as the type to which DuckDB exports it by default: HUGEINT as a decimal, UUID as a
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
    int kind; /* of the type; `stored`: the storage type of decimals and enums */
    int stored;
    int scale;
    bool by_value; /* decimals that are whole numbers are encoded as integers */
    uint64_t array_size;
    const void *data;
    const uint64_t *validity;
    struct values *children;
    char **names; /* of a struct's fields */
    size_t child_count;
} values;

/* A growing buffer. is_whole is false once an allocation has failed. */
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

/* Appends the encoding of an integer, or the count of a list: the tag decides. */
enum { TAG_INTEGER = 2, TAG_BINARY = 5, TAG_STRING = 6, TAG_LIST = 15 };
void put_tagged(bytes *out, uint8_t tag, uint64_t value);

/* Refers to a vector's values. Returns an error's text or null; close the values in both cases. */
const char *values_open(values *values, duckdb_vector vector, bool by_value);
void values_close(values *values);

/* Returns true if the value is not null. */
bool has_value(const values *values, uint64_t row);

/* Returns the version of the encoding that the type of the values needs. */
uint8_t version_of(const values *values);

/*
 * Hashes the rows [first, end) of these columns, in the order of `rows` if it is not null. Returns
 * an error's text, or null. wrong: set to the column that the error is about, or column_count.
 */
const char *hash_rows_of(const values *columns, size_t column_count, uint8_t version,
                         const uint64_t *rows, uint64_t first, uint64_t end,
                         fin_algorithm algorithm, const fin_params *params, uint8_t *digests,
                         size_t stride, size_t *wrong);

/* Adds row_NAME and row_NAME_by_value for an algorithm. */
bool add_row_functions(duckdb_connection connection, const fin_algorithm_info *algorithm);

/* Adds digest_agg. */
bool add_aggregate(duckdb_connection connection);

/* Allocates bytes for the digests of rows from `row` on; they live as long as the result. */
uint8_t *allocate_digests(duckdb_vector result, uint64_t row, size_t bytes);

/* Makes a row of the result refer to its digest. */
void refer_to_digest(duckdb_string *result, uint8_t *digest, size_t bytes);

#endif
