/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * row_NAME(a, b, ...), the digest of a row, for each algorithm, and row_NAME_by_value, which hashes
 * decimals that are whole numbers as integers; and digest_agg(t), the digest of all rows in any
 * order, which equals finalist.fingerprint's (docs/guide/tables.md).
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 1 << 16,
    FEW_ROWS = BUCKETS / 64, /* fewer are sorted without a loop over all buckets */
    MANY_EMPTY = 256,        /* adjacent empty buckets, appended in one call */
    ROW_DIGEST_BYTES = 32,
    NAME_BYTES_MAX = 36,
    NAME_SHOWN_BYTES_MAX = 64,
    ERROR_BYTES = 256,
    ROWS_AT_ONCE = 2048
};

static const char no_memory[] = "there is not enough memory";
static const char no_row[] =
    "a row is required: digest_agg(t) for a table t, or of struct_pack(a := a, b := b)";

static const char other_form[] = "the arguments after the row must be the same for all rows";

/* ---- Errors ---- */

/*
 * Writes an error of a function. wrong: the column that it is about, if less than count. names: of
 * the columns; null if they are arguments.
 */
static void describe(char text[static ERROR_BYTES], const char *function, const char *error,
                     char *const *names, size_t wrong, size_t count)
{
    if (wrong >= count) {
        (void)snprintf(text, ERROR_BYTES, "%s: %s", function, error);
    } else if (names != NULL && names[wrong] != NULL &&
               strlen(names[wrong]) <= NAME_SHOWN_BYTES_MAX) {
        (void)snprintf(text, ERROR_BYTES, "%s: column \"%s\": %s", function, names[wrong], error);
    } else { /* Cutting a name could leave an incomplete character. */
        (void)snprintf(text, ERROR_BYTES, "%s: %s %zu: %s", function,
                       names != NULL ? "column" : "argument", wrong + 1, error);
    }
}

/* ---- row_NAME ---- */

/* The columns of a row: the arguments, or the fields of the only one if that is a struct. */
typedef struct arguments {
    values *given;
    size_t given_count;
    const values *columns;
    size_t column_count;
} arguments;

/* Returns an error's text or null. An error is about the last column that it opened. */
static const char *open_arguments(arguments *arguments, duckdb_chunk chunk, bool by_value)
{
    arguments->given_count = 0;
    const size_t count = api.chunk_column_count(chunk);
    arguments->given = calloc(count + 1, sizeof *arguments->given);
    const char *error = arguments->given == NULL ? no_memory : NULL;
    for (size_t i = 0; i < count && error == NULL; i++) {
        arguments->given_count = i + 1;
        error = values_open(&arguments->given[i], api.chunk_vector(chunk, i), by_value);
    }
    arguments->columns = arguments->given;
    arguments->column_count = arguments->given_count;
    if (count == 1 && arguments->given_count == 1 && arguments->given->kind == DUCKDB_STRUCT) {
        arguments->columns = arguments->given->children;
        arguments->column_count = arguments->given->child_count;
    }
    return error;
}

/* Writes the name of a function. SQL takes it unquoted. */
static void name_function(char name[static NAME_BYTES_MAX], const fin_algorithm_info *algorithm,
                          bool by_value)
{
    (void)snprintf(name, NAME_BYTES_MAX, "row_%s%s", algorithm->name, by_value ? "_by_value" : "");
    for (char *hyphen = name; (hyphen = strchr(hyphen, '-')) != NULL;) {
        *hyphen = '_';
    }
}

static void close_arguments(arguments *arguments)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        values_close(&arguments->given[i]);
    }
    free(arguments->given);
}

static void hash_rows(duckdb_call call, duckdb_chunk chunk, duckdb_vector result, bool by_value)
{
    const fin_algorithm_info *algorithm = api.call_extra_info(call);
    const size_t stride = algorithm->digest_bytes;
    const uint64_t count = api.chunk_size(chunk);
    arguments arguments;
    const char *error = open_arguments(&arguments, chunk, by_value);
    size_t wrong = arguments.column_count - 1;
    uint8_t version = ROW_VERSION_FLAT;
    for (size_t i = 0; i < arguments.column_count && error == NULL; i++) {
        const uint8_t needed = version_of(&arguments.columns[i]);
        version = needed > version ? needed : version;
    }
    duckdb_string *results = api.vector_data(result);
    for (uint64_t first = 0, end; first < count && error == NULL; first = end) {
        end = count - first < ROWS_AT_ONCE ? count : first + ROWS_AT_ONCE;
        uint8_t *digests = allocate_digests(result, first, (end - first) * stride);
        error = hash_rows_of(arguments.columns, arguments.column_count, version, NULL, first, end,
                             algorithm->algorithm, NULL, digests, stride, &wrong);
        for (uint64_t row = first; row < end; row++, digests += stride) {
            refer_to_digest(&results[row], digests, stride);
        }
    }
    if (error != NULL) {
        char function[NAME_BYTES_MAX], text[ERROR_BYTES];
        const bool is_row = arguments.columns != arguments.given;
        name_function(function, algorithm, by_value);
        describe(text, function, error, is_row ? arguments.given->names : NULL, wrong,
                 arguments.column_count);
        api.call_set_error(call, text);
    }
    close_arguments(&arguments);
}

static void hash_rows_exactly(duckdb_call call, duckdb_chunk chunk, duckdb_vector result)
{
    hash_rows(call, chunk, result, false);
}

static void hash_rows_by_value(duckdb_call call, duckdb_chunk chunk, duckdb_vector result)
{
    hash_rows(call, chunk, result, true);
}

static bool add_row_function(duckdb_connection connection, const fin_algorithm_info *algorithm,
                             bool by_value)
{
    char name[NAME_BYTES_MAX];
    name_function(name, algorithm, by_value);
    duckdb_function_set set = api.create_set(name);
    duckdb_function function = api.create_function();
    duckdb_type any = api.create_logical_type(DUCKDB_ANY);
    duckdb_type blob = api.create_logical_type(DUCKDB_BLOB);
    api.function_set_name(function, name);
    api.function_set_varargs(function, any);
    api.function_set_special_handling(function); /* A null is a value of a row. */
    api.function_set_return_type(function, blob);
    api.function_set_extra_info(function, (void *)algorithm, NULL);
    api.function_set_function(function, by_value ? hash_rows_by_value : hash_rows_exactly);
    const bool added = api.set_add(set, function) == 0 && api.set_register(connection, set) == 0;
    api.destroy_logical_type(&any);
    api.destroy_logical_type(&blob);
    api.destroy_function(&function);
    api.destroy_set(&set);
    return added;
}

bool add_row_functions(duckdb_connection connection, const fin_algorithm_info *algorithm)
{
    return add_row_function(connection, algorithm, false) &&
           add_row_function(connection, algorithm, true);
}

/* ---- digest_agg ---- */

/* The second and the third argument: an algorithm, and whether numbers are encoded by value. */
typedef struct form {
    fin_algorithm algorithm;
    bool by_value;
} form;

/* The rows of a group so far. head: a row of the columns' names, empty before the first row. */
typedef struct group {
    bytes head;
    bytes digests;
    form form;
} group;

static bool is_same_form(form one, form other)
{
    return one.algorithm == other.algorithm && one.by_value == other.by_value;
}

static uint64_t group_bytes(duckdb_call call)
{
    (void)call;
    return sizeof(group);
}

static void group_init(duckdb_call call, void *state)
{
    (void)call;
    group *group = state;
    memset(group, 0, sizeof *group);
    group->head.is_whole = true;
    group->digests.is_whole = true;
}

static void group_destroy(void **states, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        group *group = states[i];
        free(group->head.data);
        free(group->digests.data);
        group->head.data = group->digests.data = NULL;
    }
}

/* Copies the text that an argument has in all rows of a chunk. Returns false if there is none. */
static bool text_of(const values *texts, uint64_t count, char text[static NAME_BYTES_MAX])
{
    char next[NAME_BYTES_MAX];
    for (uint64_t row = 0; row < count; row++) {
        const duckdb_string *given = &((const duckdb_string *)texts->data)[row];
        const uint32_t bytes = has_value(texts, row) ? given->inlined.bytes : NAME_BYTES_MAX;
        if (bytes >= NAME_BYTES_MAX) {
            return false;
        }
        const bool inlined = bytes <= DUCKDB_INLINED_BYTES_MAX;
        memcpy(next, inlined ? given->inlined.value : given->pointer.value, bytes);
        next[bytes] = '\0';
        if (row != 0 && strcmp(next, text) != 0) {
            return false;
        }
        memcpy(text, next, sizeof next);
    }
    return true;
}

/* Reads the arguments after the row. */
static const char *form_of(duckdb_chunk chunk, form *form)
{
    const uint64_t count = api.chunk_size(chunk);
    const uint64_t arguments = count == 0 ? 0 : api.chunk_column_count(chunk);
    const char *error = NULL;
    *form = (struct form){FIN_BLAKE2S, false};
    for (uint64_t i = 1; i < arguments && error == NULL; i++) {
        char text[NAME_BYTES_MAX];
        values texts;
        error = values_open(&texts, api.chunk_vector(chunk, i), false);
        const bool is_text = error == NULL && text_of(&texts, count, text);
        values_close(&texts);
        if (i == 1 && !is_text) {
            error = "the second argument is the name of an algorithm, the same for all rows";
        } else if (i == 1 && fin_algorithm_by_name(text, &form->algorithm) != FIN_OK) {
            error = "there is no such algorithm";
        } else if (i == 2) {
            form->by_value = is_text && strcmp(text, "by-value") == 0;
            const bool is_exact = is_text && strcmp(text, "exact") == 0;
            error = form->by_value || is_exact
                        ? NULL
                        : "the third argument is 'exact' or 'by-value', the same for all rows";
        }
    }
    return error;
}

/* Returns a row of one value, the list of the columns' names. */
static bytes head_of(const values *row)
{
    bytes head = {.is_whole = true};
    const uint8_t version = ROW_VERSION_NESTED;
    bytes_put(&head, &version, 1);
    put_tagged(&head, TAG_LIST, row->child_count);
    for (size_t i = 0; i < row->child_count; i++) {
        put_string(&head, row->names[i]);
    }
    return head;
}

/* Adds a chunk's rows to their groups. digests, rows: memory for the rows' digests and indexes. */
static const char *add_rows(const values *row, uint64_t count, form form, void **states,
                            uint8_t *digests, uint64_t *rows, size_t *wrong)
{
    *wrong = row->child_count;
    const fin_params params = {.digest_bytes = ROW_DIGEST_BYTES};
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (has_value(row, i)) {
            rows[found++] = i;
        }
    }
    const char *error =
        hash_rows_of(row->children, row->child_count, ROW_VERSION_NESTED, rows, 0, found,
                     form.algorithm, &params, digests, ROW_DIGEST_BYTES, wrong);
    bytes head = head_of(row);
    for (uint64_t i = 0; i < found && error == NULL; i++) {
        group *group = states[rows[i]];
        if (group->head.count == 0) {
            bytes_put(&group->head, head.data, head.count);
            group->form = form;
        }
        bytes_put(&group->digests, digests + i * ROW_DIGEST_BYTES, ROW_DIGEST_BYTES);
        error = !is_same_form(group->form, form)                                      ? other_form
                : !head.is_whole || !group->head.is_whole || !group->digests.is_whole ? no_memory
                                                                                      : NULL;
    }
    free(head.data);
    return error;
}

static void set_error(duckdb_call call, const char *error)
{
    char text[256];
    (void)snprintf(text, sizeof text, "digest_agg: %s", error);
    api.aggregate_set_error(call, text);
}

static void group_update(duckdb_call call, duckdb_chunk chunk, void **states)
{
    const uint64_t count = api.chunk_size(chunk);
    values row = {0};
    form form;
    size_t wrong = 0;
    uint8_t *digests = malloc(count * ROW_DIGEST_BYTES + 1);
    uint64_t *rows = malloc(count * sizeof *rows + 1);
    const char *error = digests == NULL || rows == NULL ? no_memory : form_of(chunk, &form);
    if (error == NULL) {
        error = values_open(&row, api.chunk_vector(chunk, 0), form.by_value);
        error = row.kind == DUCKDB_STRUCT ? error : no_row;
        wrong = error == no_row ? row.child_count : row.child_count - 1; /* the last opened */
    }
    error = error != NULL ? error : add_rows(&row, count, form, states, digests, rows, &wrong);
    if (error != NULL) {
        char text[ERROR_BYTES];
        describe(text, "digest_agg", error, row.names, wrong, row.child_count);
        api.aggregate_set_error(call, text);
    }
    values_close(&row);
    free(digests);
    free(rows);
}

static void group_combine(duckdb_call call, void **sources, void **targets, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const group *source = sources[i];
        group *target = targets[i];
        if (source->head.count == 0) {
            continue;
        }
        if (target->head.count == 0) {
            bytes_put(&target->head, source->head.data, source->head.count);
            target->form = source->form;
        }
        bytes_put(&target->digests, source->digests.data, source->digests.count);
        if (!target->head.is_whole || !target->digests.is_whole) {
            set_error(call, no_memory);
        } else if (!is_same_form(target->form, source->form)) {
            set_error(call, other_form);
        }
    }
}

static int compare_digests(const void *one, const void *other)
{
    return memcmp(one, other, ROW_DIGEST_BYTES);
}

static size_t bucket_of(const uint8_t *digest)
{
    return (size_t)digest[0] << 8 | digest[1];
}

/* Memory to finish groups one at a time. */
typedef struct finishing {
    size_t ends[BUCKETS];
    size_t count; /* of buckets that are not empty */
    fin_message buckets[BUCKETS];
    uint8_t hashes[BUCKETS * ROW_DIGEST_BYTES];
    uint8_t leaves[BUCKETS * ROW_DIGEST_BYTES]; /* not yet appended */
} finishing;

/* Sorts the digests into `sorted`, of the same size. */
static void sort_digests(finishing *memory, const bytes *digests, uint8_t *sorted)
{
    if (digests->count < FEW_ROWS * ROW_DIGEST_BYTES) {
        memcpy(sorted, digests->data, digests->count);
        qsort(sorted, digests->count / ROW_DIGEST_BYTES, ROW_DIGEST_BYTES, compare_digests);
        return;
    }
    memset(memory->ends, 0, sizeof memory->ends);
    for (size_t at = 0; at < digests->count; at += ROW_DIGEST_BYTES) {
        memory->ends[bucket_of(digests->data + at)] += ROW_DIGEST_BYTES;
    }
    size_t start = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        const size_t bucket_bytes = memory->ends[i];
        memory->ends[i] = start;
        start += bucket_bytes;
    }
    for (size_t at = 0; at < digests->count; at += ROW_DIGEST_BYTES) {
        const uint8_t *digest = digests->data + at;
        size_t *end = &memory->ends[bucket_of(digest)];
        memcpy(sorted + *end, digest, ROW_DIGEST_BYTES);
        *end += ROW_DIGEST_BYTES;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        uint8_t *bucket = sorted + (i == 0 ? 0 : memory->ends[i - 1]);
        const size_t bucket_bytes = (size_t)(sorted + memory->ends[i] - bucket);
        qsort(bucket, bucket_bytes / ROW_DIGEST_BYTES, ROW_DIGEST_BYTES, compare_digests);
    }
}

/* Finds the buckets of sorted digests. */
static void find_buckets(finishing *memory, const uint8_t *sorted, size_t count)
{
    fin_message *last = NULL;
    memory->count = 0;
    for (size_t at = 0; at < count; at += ROW_DIGEST_BYTES) {
        if (last == NULL || bucket_of(sorted + at) != bucket_of(last->in)) {
            last = &memory->buckets[memory->count++];
            *last = (fin_message){sorted + at, 0};
        }
        last->bytes += ROW_DIGEST_BYTES;
    }
}

/* Appends a leaf for each bucket. A group of few rows has mostly empty ones. */
static fin_status append_buckets(finishing *memory, fin_merkle *tree, fin_algorithm algorithm)
{
    const fin_params params = {.digest_bytes = ROW_DIGEST_BYTES};
    uint8_t empty[ROW_DIGEST_BYTES];
    size_t next = 0, waiting = 0;
    fin_status status = fin_merkle_leaves(algorithm, &params, &(fin_message){NULL, 0}, 1, empty);
    status = status != FIN_OK ? status
                              : fin_merkle_leaves(algorithm, &params, memory->buckets,
                                                  memory->count, memory->hashes);
    for (size_t i = 0; i <= memory->count && status == FIN_OK; i++) {
        const bool is_end = i == memory->count;
        const size_t bucket = is_end ? (size_t)BUCKETS : bucket_of(memory->buckets[i].in);
        if (bucket - next >= MANY_EMPTY) {
            status = fin_merkle_append(tree, memory->leaves, waiting);
            status =
                status != FIN_OK ? status : fin_merkle_append_equal(tree, empty, bucket - next);
            waiting = 0;
            next = bucket;
        }
        for (; next < bucket; next++) {
            memcpy(memory->leaves + ROW_DIGEST_BYTES * waiting++, empty, ROW_DIGEST_BYTES);
        }
        if (!is_end) {
            memcpy(memory->leaves + ROW_DIGEST_BYTES * waiting++,
                   memory->hashes + ROW_DIGEST_BYTES * i, ROW_DIGEST_BYTES);
            next++;
        }
    }
    return status != FIN_OK ? status : fin_merkle_append(tree, memory->leaves, waiting);
}

/* Writes the root of version 2 (docs/format/proofs.md) over the columns' names and the buckets. */
static fin_status write_root(finishing *memory, const bytes *head, fin_algorithm algorithm,
                             uint8_t *root)
{
    const fin_params params = {.digest_bytes = ROW_DIGEST_BYTES};
    uint8_t plain[ROW_DIGEST_BYTES];
    fin_merkle tree;
    fin_status status =
        fin_merkle_leaves(algorithm, &params, &(fin_message){head->data, head->count}, 1, plain);
    status = status != FIN_OK ? status : fin_merkle_init(&tree, algorithm, &params);
    status = status != FIN_OK ? status : fin_merkle_append(&tree, plain, 1);
    status = status != FIN_OK ? status : append_buckets(memory, &tree, algorithm);
    status = status != FIN_OK ? status : fin_merkle_root(&tree, plain, sizeof plain);
    if (status != FIN_OK) {
        return status;
    }
    static const uint8_t begin[] = {2, 1}, no_key[] = {1, 0};
    bytes message = {.is_whole = true};
    bytes_put(&message, begin, sizeof begin);
    put_string(&message, "finalist-table-1");
    put_string(&message, fin_algorithm_describe(algorithm)->name);
    put_tagged(&message, TAG_INTEGER, 8 * (uint64_t)ROW_DIGEST_BYTES);
    bytes_put(&message, no_key, sizeof no_key);
    put_tagged(&message, TAG_BINARY, 0); /* salt */
    put_tagged(&message, TAG_BINARY, 0); /* personalisation */
    put_tagged(&message, TAG_INTEGER, 1 + BUCKETS);
    put_tagged(&message, TAG_BINARY, sizeof plain);
    bytes_put(&message, plain, sizeof plain);
    status = message.is_whole
                 ? fin_hash_many(algorithm, &params, &(fin_message){message.data, message.count}, 1,
                                 root, ROW_DIGEST_BYTES)
                 : FIN_ERR_STATE;
    free(message.data);
    return status;
}

static void group_finalize(duckdb_call call, void **states, duckdb_vector result, uint64_t count,
                           uint64_t first)
{
    finishing *memory = malloc(sizeof *memory);
    api.vector_ensure_validity_writable(result);
    uint64_t *validity = api.vector_validity(result);
    const char *error = memory == NULL ? no_memory : NULL;
    for (uint64_t i = 0; i < count && error == NULL; i++) {
        const group *group = states[i];
        const uint64_t row = first + i;
        if (group->head.count == 0) {
            validity[row / 64] &= ~((uint64_t)1 << row % 64);
            continue;
        }
        uint8_t root[ROW_DIGEST_BYTES];
        uint8_t *sorted = malloc(group->digests.count + 1);
        if (sorted == NULL) {
            error = no_memory;
            break;
        }
        sort_digests(memory, &group->digests, sorted);
        find_buckets(memory, sorted, group->digests.count);
        const fin_status status = write_root(memory, &group->head, group->form.algorithm, root);
        free(sorted);
        error = status == FIN_OK ? NULL : fin_status_text(status);
        api.vector_assign(result, row, (const char *)root, sizeof root);
    }
    free(memory);
    if (error != NULL) {
        set_error(call, error);
    }
}

bool add_aggregate(duckdb_connection connection)
{
    static const char name[] = "digest_agg";
    duckdb_aggregate_set set = api.create_aggregate_set(name);
    duckdb_type any = api.create_logical_type(DUCKDB_ANY);
    duckdb_type text = api.create_logical_type(DUCKDB_VARCHAR);
    duckdb_type blob = api.create_logical_type(DUCKDB_BLOB);
    bool added = true;
    for (size_t parameters = 1; parameters <= 3; parameters++) {
        duckdb_aggregate aggregate = api.create_aggregate();
        api.aggregate_set_name(aggregate, name);
        api.aggregate_add_parameter(aggregate, any);
        for (size_t i = 1; i < parameters; i++) {
            api.aggregate_add_parameter(aggregate, text);
        }
        api.aggregate_set_return_type(aggregate, blob);
        api.aggregate_set_functions(aggregate, group_bytes, group_init, group_update, group_combine,
                                    group_finalize);
        api.aggregate_set_destructor(aggregate, group_destroy);
        added = added && api.aggregate_set_add(set, aggregate) == 0;
        api.destroy_aggregate(&aggregate);
    }
    added = added && api.aggregate_set_register(connection, set) == 0;
    api.destroy_logical_type(&any);
    api.destroy_logical_type(&text);
    api.destroy_logical_type(&blob);
    api.destroy_aggregate_set(&set);
    return added;
}
