/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Messages in lanes whose counter of bits goes beyond 2^32: 512 MiB and a little of BLAKE-256, in
 * one mebibyte of memory that is mapped again and again. Against streams, which count by
 * themselves. Needs POSIX.
 */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20, PIECES = 513, COUNT = 5, DIGEST = 32 };

static const uint8_t *map_repeatedly(void)
{
    FILE *file = tmpfile();
    uint8_t *piece = check_allocate(PIECE);
    check_random_bytes(piece, PIECE);
    if (!CHECK(file != NULL) || !CHECK(fwrite(piece, 1, PIECE, file) == PIECE) ||
        !CHECK(fflush(file) == 0)) {
        return NULL;
    }
    uint8_t *all =
        mmap(NULL, (size_t)PIECE * PIECES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(all != MAP_FAILED)) {
        return NULL;
    }
    for (size_t i = 0; i < PIECES; i++) {
        void *at = all + i * PIECE;
        if (!CHECK(mmap(at, PIECE, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) == at)) {
            return NULL;
        }
    }
    free(piece);
    return all;
}

int main(void)
{
    /* They end one by one, so that those left move to ever fewer lanes. */
    static const size_t beyond[COUNT] = {0, 65, 5000, 400001, PIECE};
    const size_t common = ((size_t)1 << 29) - 4096;
    const uint8_t *text = map_repeatedly();
    fin_message messages[COUNT];
    uint8_t digests[COUNT * DIGEST], expected[DIGEST];
    fin_context start, whole;
    if (text == NULL) {
        return check_report();
    }
    check_context("blake256");
    CHECK_STATUS(FIN_OK, fin_init(&start, FIN_BLAKE256, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&start, text, common));
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = (fin_message){text, common + 4096 + beyond[i]};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE256, NULL, messages, COUNT, digests, DIGEST));
    for (size_t i = 0; i < COUNT; i++) {
        CHECK_STATUS(FIN_OK, fin_copy(&whole, &start));
        CHECK_STATUS(FIN_OK, fin_update(&whole, text + common, messages[i].bytes - common));
        CHECK_STATUS(FIN_OK, fin_final(&whole, expected, sizeof expected));
        CHECK_BYTES(expected, digests + i * DIGEST, DIGEST);
    }
    return check_report();
}
