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

typedef struct duckdb_aggregate *duckdb_aggregate;
typedef struct duckdb_aggregate_set *duckdb_aggregate_set;
typedef struct duckdb_chunk *duckdb_chunk;
typedef struct duckdb_connection *duckdb_connection;
typedef struct duckdb_database *duckdb_database;
typedef struct duckdb_extension *duckdb_extension;
typedef struct duckdb_function *duckdb_function;
typedef struct duckdb_function_set *duckdb_function_set;
typedef struct duckdb_call *duckdb_call;
typedef struct duckdb_type *duckdb_type;
typedef struct duckdb_vector *duckdb_vector;

/* Types of values. */
enum {
    DUCKDB_BOOLEAN = 1,
    DUCKDB_TINYINT,
    DUCKDB_SMALLINT,
    DUCKDB_INTEGER,
    DUCKDB_BIGINT,
    DUCKDB_UTINYINT,
    DUCKDB_USMALLINT,
    DUCKDB_UINTEGER,
    DUCKDB_UBIGINT,
    DUCKDB_FLOAT,
    DUCKDB_DOUBLE,
    DUCKDB_TIMESTAMP,
    DUCKDB_DATE,
    DUCKDB_TIME,
    DUCKDB_INTERVAL,
    DUCKDB_HUGEINT,
    DUCKDB_VARCHAR,
    DUCKDB_BLOB,
    DUCKDB_DECIMAL,
    DUCKDB_TIMESTAMP_S,
    DUCKDB_TIMESTAMP_MS,
    DUCKDB_TIMESTAMP_NS,
    DUCKDB_ENUM,
    DUCKDB_LIST,
    DUCKDB_STRUCT,
    DUCKDB_MAP,
    DUCKDB_UUID,
    DUCKDB_TIMESTAMP_TZ = 31,
    DUCKDB_ARRAY = 33,
    DUCKDB_ANY = 34,
    DUCKDB_SQLNULL = 36
};

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

/* Values of INTERVAL, of HUGEINT, and of LIST and MAP. */
typedef struct duckdb_interval {
    int32_t months;
    int32_t days;
    int64_t microseconds;
} duckdb_interval;

typedef struct duckdb_hugeint {
    uint64_t lower;
    int64_t upper;
} duckdb_hugeint;

typedef struct duckdb_list_entry {
    uint64_t first; /* among all elements of the vector */
    uint64_t count;
} duckdb_list_entry;

/* The callbacks of an aggregate function. A state is memory of the size that the first returns. */
typedef uint64_t (*duckdb_state_bytes)(duckdb_call call);
typedef void (*duckdb_state_init)(duckdb_call call, void *state);
typedef void (*duckdb_state_update)(duckdb_call call, duckdb_chunk arguments, void **states);
typedef void (*duckdb_state_combine)(duckdb_call call, void **sources, void **targets,
                                     uint64_t count);
typedef void (*duckdb_state_finalize)(duckdb_call call, void **states, duckdb_vector result,
                                      uint64_t count, uint64_t first);
typedef void (*duckdb_state_destroy)(void **states, uint64_t count);

/* Unused entries from one index up to another. */
#define DUCKDB_UNUSED(from, to) duckdb_unused unused_##from[(to) - (from)]

/* Calls that return an int return 0 on success. */
typedef struct duckdb_api {
    DUCKDB_UNUSED(0, 3);
    int (*connect)(duckdb_database database, duckdb_connection *connection);
    DUCKDB_UNUSED(4, 6);
    void (*disconnect)(duckdb_connection *connection);
    const char *(*library_version)(void);
    DUCKDB_UNUSED(8, 24);
    void *(*malloc)(size_t bytes);
    void (*free)(void *memory);
    DUCKDB_UNUSED(26, 156);
    duckdb_type (*create_logical_type)(int type);
    DUCKDB_UNUSED(157, 166);
    int (*type_id)(duckdb_type type);
    DUCKDB_UNUSED(167, 168);
    uint8_t (*decimal_scale)(duckdb_type type);
    int (*decimal_internal_type)(duckdb_type type);
    int (*enum_internal_type)(duckdb_type type);
    DUCKDB_UNUSED(171, 172);
    char *(*enum_value)(duckdb_type type, uint64_t index);
    DUCKDB_UNUSED(173, 175);
    uint64_t (*array_size)(duckdb_type type);
    DUCKDB_UNUSED(176, 178);
    uint64_t (*struct_child_count)(duckdb_type type);
    char *(*struct_child_name)(duckdb_type type, uint64_t index);
    DUCKDB_UNUSED(180, 184);
    void (*destroy_logical_type)(duckdb_type *type);
    DUCKDB_UNUSED(185, 189);
    uint64_t (*chunk_column_count)(duckdb_chunk chunk);
    duckdb_vector (*chunk_vector)(duckdb_chunk chunk, uint64_t column);
    uint64_t (*chunk_size)(duckdb_chunk chunk);
    DUCKDB_UNUSED(192, 193);
    duckdb_type (*vector_type)(duckdb_vector vector);
    void *(*vector_data)(duckdb_vector vector);
    uint64_t *(*vector_validity)(duckdb_vector vector);
    void (*vector_ensure_validity_writable)(duckdb_vector vector);
    DUCKDB_UNUSED(197, 198);
    void (*vector_assign)(duckdb_vector vector, uint64_t row, const char *value, uint64_t bytes);
    duckdb_vector (*list_child)(duckdb_vector vector);
    DUCKDB_UNUSED(200, 203);
    duckdb_vector (*struct_child)(duckdb_vector vector, uint64_t index);
    duckdb_vector (*array_child)(duckdb_vector vector);
    DUCKDB_UNUSED(205, 209);
    duckdb_function (*create_function)(void);
    void (*destroy_function)(duckdb_function *function);
    void (*function_set_name)(duckdb_function function, const char *name);
    void (*function_set_varargs)(duckdb_function function, duckdb_type type);
    void (*function_set_special_handling)(duckdb_function function);
    DUCKDB_UNUSED(214, 215);
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
    duckdb_aggregate (*create_aggregate)(void);
    void (*destroy_aggregate)(duckdb_aggregate *aggregate);
    void (*aggregate_set_name)(duckdb_aggregate aggregate, const char *name);
    void (*aggregate_add_parameter)(duckdb_aggregate aggregate, duckdb_type type);
    void (*aggregate_set_return_type)(duckdb_aggregate aggregate, duckdb_type type);
    void (*aggregate_set_functions)(duckdb_aggregate aggregate, duckdb_state_bytes bytes,
                                    duckdb_state_init init, duckdb_state_update update,
                                    duckdb_state_combine combine, duckdb_state_finalize finalize);
    void (*aggregate_set_destructor)(duckdb_aggregate aggregate, duckdb_state_destroy destroy);
    DUCKDB_UNUSED(233, 234);
    void (*aggregate_set_special_handling)(duckdb_aggregate aggregate);
    DUCKDB_UNUSED(235, 237);
    void (*aggregate_set_error)(duckdb_call call, const char *text);
    duckdb_aggregate_set (*create_aggregate_set)(const char *name);
    void (*destroy_aggregate_set)(duckdb_aggregate_set *set);
    int (*aggregate_set_add)(duckdb_aggregate_set set, duckdb_aggregate aggregate);
    int (*aggregate_set_register)(duckdb_connection connection, duckdb_aggregate_set set);
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
DUCKDB_PLACE(library_version, 7);
DUCKDB_PLACE(free, 25);
DUCKDB_PLACE(type_id, 166);
DUCKDB_PLACE(enum_value, 172);
DUCKDB_PLACE(array_size, 175);
DUCKDB_PLACE(struct_child_name, 179);
DUCKDB_PLACE(vector_type, 193);
DUCKDB_PLACE(list_child, 199);
DUCKDB_PLACE(array_child, 204);
DUCKDB_PLACE(function_set_varargs, 212);
DUCKDB_PLACE(create_aggregate, 226);
DUCKDB_PLACE(aggregate_set_destructor, 232);
DUCKDB_PLACE(aggregate_set_error, 237);
DUCKDB_PLACE(aggregate_set_register, 241);

/* Passed to the entry point. */
typedef struct duckdb_access {
    void (*set_error)(duckdb_extension extension, const char *text);
    duckdb_database *(*database)(duckdb_extension extension);
    const duckdb_api *(*api)(duckdb_extension extension, const char *version);
} duckdb_access;

#endif
