/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The part of DuckDB's C extension API, version 1.2.0, that the extension calls: a table of
 * functions whose order is stable from that version on. Unused entries keep the others at their
 * index, which static_assert checks. DuckDB's types are opaque pointers.
 * From src/include/duckdb_extension.h and duckdb.h of https://github.com/duckdb/duckdb.
 */
#ifndef FIN_DUCKDB_API_H
#define FIN_DUCKDB_API_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The API version that the extension requests and that the file's footer names. */
#define DUCKDB_API_VERSION "v1.2.0"

typedef struct duckdb_chunk *duckdb_chunk;
typedef struct duckdb_connection *duckdb_connection;
typedef struct duckdb_database *duckdb_database;
typedef struct duckdb_extension *duckdb_extension;
typedef struct duckdb_function *duckdb_function;
typedef struct duckdb_function_set *duckdb_function_set;
typedef struct duckdb_call *duckdb_call;
typedef struct duckdb_type *duckdb_type;
typedef struct duckdb_vector *duckdb_vector;

enum { DUCKDB_VARCHAR = 17, DUCKDB_BLOB = 18 };

/* A value of VARCHAR or BLOB. The structure itself holds up to 12 bytes. */
typedef union duckdb_string {
    struct {
        uint32_t bytes;
        char value[12];
    } inlined;
    struct {
        uint32_t bytes;
        char prefix[4]; /* the first bytes of the value */
        char *value;
    } pointer;
} duckdb_string;

static_assert(sizeof(duckdb_string) == 16, "a value takes 16 bytes");

enum { DUCKDB_INLINED_BYTES_MAX = 12 };

typedef void (*duckdb_unused)(void);
typedef void (*duckdb_scalar)(duckdb_call call, duckdb_chunk arguments, duckdb_vector result);

/* Unused entries from one index up to another. */
#define DUCKDB_UNUSED(from, to) duckdb_unused unused_##from[(to) - (from)]

/* Calls that return an int return 0 on success. */
typedef struct duckdb_api {
    DUCKDB_UNUSED(0, 3);
    int (*connect)(duckdb_database database, duckdb_connection *connection);
    DUCKDB_UNUSED(4, 6);
    void (*disconnect)(duckdb_connection *connection);
    DUCKDB_UNUSED(7, 156);
    duckdb_type (*create_logical_type)(int type);
    DUCKDB_UNUSED(157, 184);
    void (*destroy_logical_type)(duckdb_type *type);
    DUCKDB_UNUSED(185, 189);
    uint64_t (*chunk_column_count)(duckdb_chunk chunk);
    duckdb_vector (*chunk_vector)(duckdb_chunk chunk, uint64_t column);
    uint64_t (*chunk_size)(duckdb_chunk chunk);
    DUCKDB_UNUSED(192, 194);
    void *(*vector_data)(duckdb_vector vector);
    uint64_t *(*vector_validity)(duckdb_vector vector);
    void (*vector_ensure_validity_writable)(duckdb_vector vector);
    DUCKDB_UNUSED(197, 198);
    void (*vector_assign)(duckdb_vector vector, uint64_t row, const char *value, uint64_t bytes);
    DUCKDB_UNUSED(199, 209);
    duckdb_function (*create_function)(void);
    void (*destroy_function)(duckdb_function *function);
    void (*function_set_name)(duckdb_function function, const char *name);
    DUCKDB_UNUSED(212, 215);
    void (*function_add_parameter)(duckdb_function function, duckdb_type type);
    void (*function_set_return_type)(duckdb_function function, duckdb_type type);
    void (*function_set_extra_info)(duckdb_function function, void *info, void (*free)(void *));
    void (*function_set_function)(duckdb_function function, duckdb_scalar scalar);
    DUCKDB_UNUSED(219, 220);
    void *(*call_extra_info)(duckdb_call call);
    void (*call_set_error)(duckdb_call call, const char *text);
    duckdb_function_set (*create_set)(const char *name);
    void (*destroy_set)(duckdb_function_set *set);
    int (*set_add)(duckdb_function_set set, duckdb_function function);
    int (*set_register)(duckdb_connection connection, duckdb_function_set set);
} duckdb_api;

#define DUCKDB_PLACE(entry, place) \
    static_assert(offsetof(duckdb_api, entry) == (place) * sizeof(duckdb_unused), #entry)

DUCKDB_PLACE(connect, 3);
DUCKDB_PLACE(disconnect, 6);
DUCKDB_PLACE(create_logical_type, 156);
DUCKDB_PLACE(destroy_logical_type, 184);
DUCKDB_PLACE(chunk_size, 191);
DUCKDB_PLACE(vector_ensure_validity_writable, 196);
DUCKDB_PLACE(vector_assign, 198);
DUCKDB_PLACE(function_set_name, 211);
DUCKDB_PLACE(function_set_function, 218);
DUCKDB_PLACE(set_register, 225);

/* Passed to the entry point. */
typedef struct duckdb_access {
    void (*set_error)(duckdb_extension extension, const char *text);
    duckdb_database *(*database)(duckdb_extension extension);
    const duckdb_api *(*api)(duckdb_extension extension, const char *version);
} duckdb_access;

#endif
