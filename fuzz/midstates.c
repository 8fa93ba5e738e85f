/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Fuzzes fin_restore. A midstate that it accepts must be saved as the same bytes, and the message
 * must continue and end, whatever its counter; a midstate that it refuses leaves the context
 * unchanged. An even first byte asks for a valid midstate with some bytes replaced.
 */
#include "input.h"

static void go_on(fin_context *context, const uint8_t *bytes, size_t count)
{
    uint8_t digest[100];
    size_t again = count;
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    EXPECT(count <= sizeof midstate);
    EXPECT(fin_save(context, midstate, &again) == FIN_OK);
    EXPECT(again == count && memcmp(midstate, bytes, count) == 0);
    fin_context copy;
    EXPECT(fin_copy(&copy, context) == FIN_OK);
    const fin_status updated = fin_update(&copy, midstate, count);
    EXPECT(updated == FIN_OK || updated == FIN_ERR_MESSAGE_LENGTH);
    const fin_status status = fin_final(&copy, digest, sizeof digest);
    EXPECT(status == FIN_OK || status == FIN_ERR_MESSAGE_LENGTH || status == FIN_ERR_OUTPUT_LENGTH);
    const fin_status squeezed = fin_squeeze(context, digest, 1);
    EXPECT(squeezed == FIN_OK || squeezed == FIN_ERR_ALGORITHM ||
           squeezed == FIN_ERR_MESSAGE_LENGTH);
    const fin_status reset = fin_reset(context);
    EXPECT(reset == FIN_OK || reset == FIN_ERR_KEY_WIPED);
}

/* Makes a valid midstate and replaces some of its bytes. */
static size_t damage(input *in, uint8_t *midstate)
{
    parameters own;
    fin_context context;
    uint8_t message[1200];
    size_t bytes = FIN_MIDSTATE_BYTES_MAX;
    const fin_algorithm algorithm = take_algorithm(in);
    take_parameters(in, algorithm, 100, &own);
    const size_t message_bytes = take_up_to(in, sizeof message);
    take_filling(in, message, message_bytes);
    EXPECT(fin_init(&context, algorithm, &own.params) == FIN_OK);
    EXPECT(fin_update(&context, message, message_bytes) == FIN_OK);
    EXPECT(fin_save(&context, midstate, &bytes) == FIN_OK);
    while (in->left >= 3) {
        const size_t at = take_number(in) % bytes;
        midstate[at] = take_byte(in);
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    input in = {bytes, count};
    fin_context context, before;
    memset(&context, 0x5a, sizeof context);
    before = context;
    if (take_byte(&in) % 2 == 0) {
        bytes = midstate;
        count = damage(&in, midstate);
    }
    const fin_status status = fin_restore(&context, bytes, count);
    EXPECT(status == FIN_OK || status == FIN_ERR_MIDSTATE);
    if (status == FIN_OK) {
        go_on(&context, bytes, count);
    } else {
        EXPECT(memcmp(&context, &before, sizeof context) == 0);
    }
    return 0;
}
