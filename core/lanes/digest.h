/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The digest of one lane.
 */
#ifndef FIN_LANES_DIGEST_H
#define FIN_LANES_DIGEST_H

#include "spec/padding.h"

/* Writes the digest of a lane's finished message. lane_count: the implementation's lanes.
   digest_bytes: a multiple of 8, except for Grøstl. */
FIN_INLINE void fin_lane_digest(fin_variant variant, const fin_lanes *lanes, size_t lane_count,
                                size_t lane, uint8_t *digest, size_t digest_bytes)
{
    if (fin_family_of(variant) == FIN_FAMILY_GROESTL) {
        const uint64_t *h = lanes->row.w64 + lane * fin_variant_block(variant) / 8;
        fin_groestl_output(variant, h, digest, digest_bytes);
        return;
    }
    for (size_t i = 0; i < digest_bytes / 8; i++) {
        if (fin_is_wide(variant)) {
            fin_store_digest_words(variant, digest + 8 * i, lanes->row.w64[i * lane_count + lane],
                                   0);
        } else {
            const uint32_t *row = lanes->row.w32 + 2 * i * lane_count;
            fin_store_digest_words(variant, digest + 8 * i, row[lane], row[lane_count + lane]);
        }
    }
}

#endif
