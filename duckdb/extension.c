/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The loadable extension for DuckDB: a function for each algorithm with a digest of fixed length.
 * Maps BLOB, or VARCHAR (its UTF-8), to BLOB, and null to null. With BLAKE2 a second argument is the
 * key, which may differ from row to row; adjacent rows with the same key are hashed together.
 * row_functions.c adds the functions of whole rows.
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 2048, DIGEST_BYTES_MAX = 64, NAME_BYTES_MAX = 32 };

duckdb_api api;

/* ---- Values ---- */

static fin_message value_at(const duckdb_string *values, uint64_t row)
{
    const duckdb_string *value = &values[row];
    const uint32_t bytes = value->inlined.bytes;
    const bool inlined = bytes <= DUCKDB_INLINED_BYTES_MAX;
    return (fin_message){inlined ? value->inlined.value : value->pointer.value, bytes};
}

static bool is_valid(const uint64_t *validity, uint64_t row)
{
    return validity == NULL || (validity[row / 64] >> row % 64 & 1) != 0;
}

static bool are_equal(fin_message one, fin_message other)
{
    return one.bytes == other.bytes && memcmp(one.in, other.in, one.bytes) == 0;
}

/* ---- A call ---- */

/* One argument of a function, for all rows of a chunk. */
typedef struct argument {
    const duckdb_string *values;
    const uint64_t *validity;
} argument;

static argument argument_at(duckdb_chunk chunk, uint64_t column)
{
    duckdb_vector vector = api.chunk_vector(chunk, column);
    return (argument){api.vector_data(vector), api.vector_validity(vector)};
}

typedef struct hashing {
    duckdb_call call;
    const fin_algorithm_info *algorithm;
    duckdb_vector result;
    argument value;
    argument key; /* values is null without a key */
    fin_message messages[ROWS_AT_ONCE];
    fin_message keys[ROWS_AT_ONCE];
} hashing;

static bool has_digest(const hashing *hashing, uint64_t row)
{
    return is_valid(hashing->value.validity, row) &&
           (hashing->key.values == NULL || is_valid(hashing->key.validity, row));
}

/* Assigns a value to one row, which holds them. */
uint8_t *allocate_digests(duckdb_vector result, uint64_t row, size_t bytes)
{
    static const char nothing[ROWS_AT_ONCE * DIGEST_BYTES_MAX]; /* never written, so in .bss */
    api.vector_assign(result, row, nothing, bytes);
    duckdb_string *values = api.vector_data(result);
    return (uint8_t *)values[row].pointer.value;
}

/* Hashes messages; adjacent ones with the same key share a call. */
static fin_status hash_messages(const hashing *hashing, size_t count, uint8_t *digests)
{
    const size_t stride = hashing->algorithm->digest_bytes;
    fin_status status = FIN_OK;
    for (size_t first = 0, end; first < count && status == FIN_OK; first = end) {
        fin_params params = {0};
        end = count;
        if (hashing->key.values != NULL) {
            const fin_message key = hashing->keys[first];
            for (end = first + 1; end < count && are_equal(hashing->keys[end], key); end++) {
            }
            params.key = key.in;
            params.key_bytes = key.bytes;
        }
        status = fin_hash_many(hashing->algorithm->algorithm, &params, hashing->messages + first,
                               end - first, digests + first * stride, stride);
    }
    return status;
}

void refer_to_digest(duckdb_string *result, uint8_t *digest, size_t bytes)
{
    result->pointer.bytes = (uint32_t)bytes;
    memcpy(result->pointer.prefix, digest, sizeof result->pointer.prefix);
    result->pointer.value = (char *)digest;
}

/* Points the rows from `first` up to `end` to their digests; a row without one becomes null. */
static void refer(const hashing *hashing, uint64_t first, uint64_t end, uint8_t *digests)
{
    const size_t stride = hashing->algorithm->digest_bytes;
    duckdb_string *results = api.vector_data(hashing->result);
    uint64_t *validity = api.vector_validity(hashing->result);
    for (uint64_t row = first; row < end; row++) {
        if (digests == NULL || !has_digest(hashing, row)) {
            validity[row / 64] &= ~((uint64_t)1 << row % 64);
            continue;
        }
        refer_to_digest(&results[row], digests, stride);
        digests += stride;
    }
}

/* Writes the rows from `first` up to `end`. Returns false after reporting an error to DuckDB. */
static bool hash_rows(hashing *hashing, uint64_t first, uint64_t end)
{
    size_t count = 0;
    for (uint64_t row = first; row < end; row++) {
        if (has_digest(hashing, row)) {
            hashing->messages[count] = value_at(hashing->value.values, row);
            if (hashing->key.values != NULL) {
                hashing->keys[count] = value_at(hashing->key.values, row);
            }
            count++;
        }
    }
    uint8_t *digests = NULL;
    if (count != 0) {
        digests =
            allocate_digests(hashing->result, first, count * hashing->algorithm->digest_bytes);
    }
    const fin_status status = hash_messages(hashing, count, digests);
    if (status != FIN_OK) {
        char text[128];
        (void)snprintf(text, sizeof text, "%s: %s", hashing->algorithm->name,
                       fin_status_text(status));
        api.call_set_error(hashing->call, text);
        return false;
    }
    if (count < end - first) {
        api.vector_ensure_validity_writable(hashing->result);
    }
    refer(hashing, first, end, digests);
    return true;
}

static void hash_chunk(duckdb_call call, duckdb_chunk arguments, duckdb_vector result)
{
    hashing hashing;
    hashing.call = call;
    hashing.algorithm = api.call_extra_info(call);
    hashing.result = result;
    hashing.value = argument_at(arguments, 0);
    hashing.key = (argument){NULL, NULL};
    if (api.chunk_column_count(arguments) > 1) {
        hashing.key = argument_at(arguments, 1);
    }
    const uint64_t count = api.chunk_size(arguments);
    for (uint64_t first = 0; first < count; first += ROWS_AT_ONCE) {
        const uint64_t left = count - first;
        if (!hash_rows(&hashing, first, first + (left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE))) {
            return;
        }
    }
}

/* ---- Functions ---- */

/* Adds an overload with these parameter types; a key_type of 0 means no key. */
static bool add_form(duckdb_function_set set, const char *name, const fin_algorithm_info *algorithm,
                     int value_type, int key_type)
{
    const int types[] = {value_type, key_type};
    duckdb_function function = api.create_function();
    api.function_set_name(function, name);
    for (size_t i = 0; i < 2 && types[i] != 0; i++) {
        duckdb_type type = api.create_logical_type(types[i]);
        api.function_add_parameter(function, type);
        api.destroy_logical_type(&type);
    }
    duckdb_type blob = api.create_logical_type(DUCKDB_BLOB);
    api.function_set_return_type(function, blob);
    api.destroy_logical_type(&blob);
    api.function_set_extra_info(function, (void *)algorithm, NULL);
    api.function_set_function(function, hash_chunk);
    const bool added = api.set_add(set, function) == 0;
    api.destroy_function(&function);
    return added;
}

static bool add_function(duckdb_connection connection, const fin_algorithm_info *algorithm)
{
    static const int types[] = {DUCKDB_BLOB, DUCKDB_VARCHAR};
    char name[NAME_BYTES_MAX];
    (void)snprintf(name, sizeof name, "%s", algorithm->name);
    for (char *hyphen = name; (hyphen = strchr(hyphen, '-')) != NULL;) {
        *hyphen = '_';
    }
    duckdb_function_set set = api.create_set(name);
    bool added = true;
    for (size_t value = 0; value < 2; value++) {
        added = added && add_form(set, name, algorithm, types[value], 0);
        for (size_t key = 0; key < 2 && algorithm->key_bytes_max != 0; key++) {
            added = added && add_form(set, name, algorithm, types[value], types[key]);
        }
    }
    added = added && api.set_register(connection, set) == 0;
    api.destroy_set(&set);
    return added;
}

/* DuckDB looks for this name: the file's, then the suffix that the API requires. */
__attribute__((visibility("default"))) bool finalist_init_c_api(duckdb_extension extension,
                                                                const duckdb_access *access);

bool finalist_init_c_api(duckdb_extension extension, const duckdb_access *access)
{
    const duckdb_api *given = access->api(extension, DUCKDB_API_VERSION);
    if (given == NULL) {
        return false; /* DuckDB itself reports the missing version. */
    }
    api = *given;
    duckdb_connection connection;
    if (api.connect(*access->database(extension), &connection) != 0) {
        access->set_error(extension, "finalist: no connection to the database");
        return false;
    }
    /* Before version 2, DuckDB handed out structs whose fields need not lie row by row. */
    const bool has_rows = strtol(api.library_version() + 1, NULL, 10) >= 2;
    bool added = true;
    for (size_t i = 0; i < fin_algorithm_count() && added; i++) {
        const fin_algorithm_info *algorithm = fin_algorithm_at(i);
        /* BLAKE3's digest has 32 bytes by default; BLAKE2X has no default length. */
        const bool has_length = algorithm->digest_bytes_max <= DIGEST_BYTES_MAX ||
                                algorithm->family == FIN_FAMILY_BLAKE3;
        added = !has_length || (add_function(connection, algorithm) &&
                                (!has_rows || add_row_functions(connection, algorithm)));
    }
    added = added && (!has_rows || add_aggregate(connection));
    api.disconnect(&connection);
    if (!added) {
        access->set_error(extension, "finalist: a function could not be registered");
    }
    return added;
}
