/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A scanner for files of one JSON object a line, sufficient for the vector files: values are spans
 * of the text, and a table of fields gives the target of each member. Escapes in strings are not
 * decoded: no field that is used has one. An unknown member is an error.
 */
#ifndef FINALIST_TESTS_JSON_H
#define FINALIST_TESTS_JSON_H

#include "check.h"

/* A value's text, without the quotation marks of a string. first is '"', '{', '[', '0' or 't'. */
typedef struct json_span {
    const char *text;
    size_t length;
    char first;
} json_span;

typedef struct json_hex {
    uint8_t *bytes;
    size_t count;
} json_hex;

typedef enum json_kind { JSON_HEX, JSON_NUMBER, JSON_BOOL, JSON_STRING, JSON_SPAN } json_kind;

/* The target of a member's value: json_hex, uint64_t, bool, json_span, json_span. */
typedef struct json_field {
    const char *name;
    json_kind kind;
    size_t offset;
} json_field;

static const char *json_skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) {
        at++;
    }
    return at;
}

/* Returns the end of the string whose opening mark is `at`, or null if it does not end. */
static const char *json_string_end(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\') {
            at++;
        } else if (*at == '"') {
            return at + 1;
        }
    }
    return NULL;
}

/* Returns the end of the array or object that opens at `at`, or null if it does not close. */
static const char *json_nested_end(const char *at, const char *end)
{
    unsigned depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = json_string_end(at, end);
            if (at == NULL) {
                return NULL;
            }
            continue;
        }
        if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
        at++;
        if (depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* Reads the value at *at. */
static bool json_take(const char **at, const char *end, json_span *value)
{
    const char *from = json_skip_space(*at, end);
    const char *to = from;
    if (from == end) {
        return false;
    }
    value->first = *from;
    if (*from == '"') {
        to = json_string_end(from, end);
        if (to == NULL) {
            return false;
        }
        value->text = from + 1;
        value->length = (size_t)(to - from) - 2;
    } else if (*from == '{' || *from == '[') {
        to = json_nested_end(from, end);
        if (to == NULL) {
            return false;
        }
        value->text = from;
        value->length = (size_t)(to - from);
    } else {
        while (to < end && strchr(",]} \t\r\n", *to) == NULL) {
            to++;
        }
        value->text = from;
        value->length = (size_t)(to - from);
        value->first = *from >= '0' && *from <= '9' ? '0' : 't';
    }
    *at = json_skip_space(to, end);
    return value->length > 0 || value->first == '"';
}

/* Skips the mark that must come next. */
static bool json_expect(const char **at, const char *end, char mark)
{
    *at = json_skip_space(*at, end);
    if (*at == end || **at != mark) {
        return false;
    }
    *at = json_skip_space(*at + 1, end);
    return true;
}

static bool json_equals(json_span span, const char *text)
{
    return span.length == strlen(text) && memcmp(span.text, text, span.length) == 0;
}

static bool json_number(json_span span, uint64_t *number)
{
    *number = 0;
    if (span.first != '0' || span.length == 0) {
        return false;
    }
    for (size_t i = 0; i < span.length; i++) {
        unsigned digit = (unsigned)(span.text[i] - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        *number = *number * 10 + digit;
    }
    return true;
}

static int json_hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = digit == 0 ? NULL : strchr(digits, digit);
    return found == NULL ? -1 : (int)(found - digits);
}

/* Decodes into *arena and advances it. Half the line's length is always enough. */
static bool json_decode_hex(json_span span, uint8_t **arena, json_hex *hex)
{
    if (span.first != '"' || span.length % 2 != 0) {
        return false;
    }
    hex->bytes = *arena;
    hex->count = span.length / 2;
    for (size_t i = 0; i < hex->count; i++) {
        int high = json_hex_digit(span.text[2 * i]);
        int low = json_hex_digit(span.text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        hex->bytes[i] = (uint8_t)(16 * high + low);
    }
    *arena += hex->count;
    return true;
}

static bool json_store(json_span value, const json_field *field, uint8_t **arena, void *record)
{
    void *to = (uint8_t *)record + field->offset;
    switch (field->kind) {
    case JSON_HEX:
        return json_decode_hex(value, arena, to);
    case JSON_NUMBER:
        return json_number(value, to);
    case JSON_BOOL:
        *(bool *)to = json_equals(value, "true");
        return value.first == 't' && (*(bool *)to || json_equals(value, "false"));
    case JSON_STRING:
        *(json_span *)to = value;
        return value.first == '"';
    case JSON_SPAN:
        *(json_span *)to = value;
        return value.first == '{' || value.first == '[';
    }
    return false;
}

static const char json_unknown_field[] = "unknown field";

/*
 * Reads an object's members into record; bit i of *seen is set if field i was there. Returns null,
 * or the reason why the text is not such an object.
 */
static const char *json_read(json_span object, const json_field *fields, size_t field_count,
                             uint8_t **arena, void *record, unsigned *seen)
{
    const char *at = object.text;
    const char *end = object.text + object.length;
    *seen = 0;
    if (!json_expect(&at, end, '{')) {
        return "not an object";
    }
    do {
        json_span key;
        json_span value;
        size_t index = 0;
        if (!json_take(&at, end, &key) || key.first != '"' || !json_expect(&at, end, ':') ||
            !json_take(&at, end, &value)) {
            return "not JSON";
        }
        while (index < field_count && !json_equals(key, fields[index].name)) {
            index++;
        }
        if (index == field_count) {
            return json_unknown_field;
        }
        if ((*seen & 1U << index) != 0) {
            return "duplicate field";
        }
        if (!json_store(value, &fields[index], arena, record)) {
            return "field with an invalid value";
        }
        *seen |= 1U << index;
    } while (json_expect(&at, end, ','));
    if (!json_expect(&at, end, '}') || at != end) {
        return "not a single complete object";
    }
    return NULL;
}

/* Iterates over an array: *at is null at first; returns false after the last element. */
CHECK_UNUSED static bool json_element(json_span array, const char **at, json_span *element)
{
    const char *end = array.text + array.length;
    if (*at == NULL) {
        *at = array.text;
        if (!json_expect(at, end, '[')) {
            return false;
        }
    } else if (!json_expect(at, end, ',')) {
        return false;
    }
    return json_take(at, end, element);
}

static char *json_read_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *bytes = 0;
    if (file == NULL) {
        return NULL;
    }
    do {
        capacity = capacity == 0 ? 1 << 20 : 2 * capacity;
        text = realloc(text, capacity);
        if (text == NULL) {
            break;
        }
        *bytes += fread(text + *bytes, 1, capacity - *bytes, file);
    } while (*bytes == capacity);
    fclose(file);
    return text;
}

/* Handles a line of a file; numbers start at 1. */
typedef void json_line(const char *file, int number, const char *line, size_t length);

/* Visits each line. A file that cannot be read or is empty is a failure. */
static void json_each_line(const char *name, json_line *visit)
{
    size_t bytes;
    char *text = json_read_file(name, &bytes);
    int number = 0;
    check_context("file");
    if (text == NULL || bytes == 0) {
        check_that(false, name, 0, "cannot be read or is empty");
        free(text);
        return;
    }
    for (size_t from = 0; from < bytes;) {
        const char *line_end = memchr(text + from, '\n', bytes - from);
        const size_t to = line_end == NULL ? bytes : (size_t)(line_end - text);
        visit(name, ++number, text + from, to - from);
        from = to + 1;
    }
    free(text);
}

#endif
