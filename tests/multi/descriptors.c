/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Describing one message: an empty one without an address gets one, since null takes no offset. Calls
 * what the library keeps to itself, hence a static library.
 */
#include "check.h"

#include "multi/source.h"

static void check_empty(const char *name, const fin_source *source)
{
    fin_message_descriptor message = {.in = NULL, .bytes = 1};
    check_context("%s", name);
    fin_source_message(source, 0, &message);
    CHECK(message.bytes == 0 && message.in != NULL && message.digest == source->digests);
    if (source->nodes == NULL) {
        fin_message_arrays arrays;
        fin_source_describe(source, 0, 1, &arrays);
        CHECK(arrays.bytes[0] == 0 && arrays.in[0] != NULL);
    }
}

static void empty_messages_have_an_address(void)
{
    static uint8_t digest[64];
    const int64_t items[2] = {0, 0}; /* as many offsets of either width, or a view */
    const fin_message list = {NULL, 0};
    const fin_node node = {.in = NULL};
    check_empty("list", &(fin_source){.messages = &list, .count = 1, .digests = digest});
    check_empty("node", &(fin_source){.nodes = &node, .count = 1, .digests = digest});
    check_empty("equal", &(fin_source){.count = 1, .digests = digest});
    static const fin_column_layout layouts[] = {FIN_COLUMN_FIXED, FIN_COLUMN_OFFSETS32,
                                                FIN_COLUMN_OFFSETS64, FIN_COLUMN_VIEWS};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const fin_column column = {.layout = layouts[i], .items = items};
        check_empty("column", &(fin_source){.column = &column, .count = 1, .digests = digest});
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    empty_messages_have_an_address();
    return check_report();
}
