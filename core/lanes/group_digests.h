/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Writes the digests of a group's messages from the rows. For group_steps.h; laneB_store_digests
 * (FIN_STORES_DIGESTS) transposes them in registers.
 */
/* Writes the first bytes of whole digests of 64 bytes each, or the last ones of Grøstl's. */
FIN_INLINE void fin_write_parts(fin_lane_layout layout, const fin_group_rules *rules,
                                const fin_group *group, const uint8_t *whole)
{
    const bool is_end = fin_family_of(layout.variant) == FIN_FAMILY_GROESTL;
    const uint8_t *part =
        is_end ? whole + fin_variant_block(layout.variant) / 2 - rules->digest_bytes : whole;
    for (size_t lane = 0; lane < group->count; lane++) {
        memcpy(group->digest[lane], part + 64 * lane, rules->digest_bytes);
    }
}

#ifdef FIN_STORES_DIGESTS
#if FIN_GROUP_LANES32 != 0
/* Stores every lane's digest of 32 bytes: BLAKE2s and BLAKE3. */
static FIN_NOINLINE void fin_store_whole32(uint8_t *const *to, const fin_lanes *lanes,
                                           size_t lane_count)
{
    for (size_t at = 0; at < lane_count; at += FIN_GROUP_LANES32) {
        lane32_store_digests(to + at, lanes->row.w32 + at, lane_count, 2, false);
    }
}
#endif

/* Stores this many 16-byte pieces of every lane's digest. */
FIN_INLINE void fin_store_digests(fin_lane_layout layout, uint8_t *const *to,
                                  const fin_lanes *lanes, size_t pieces)
{
    const bool swap = fin_digest_is_big_endian(layout.variant);
    const size_t lanes_of_stream =
        fin_is_wide(layout.variant) ? FIN_GROUP_LANES64 : FIN_GROUP_LANES32;
    if (!fin_is_wide(layout.variant) && !swap && pieces == 2) {
        fin_store_whole32(to, lanes, layout.lanes);
        return;
    }
    for (size_t at = 0; at < layout.lanes; at += lanes_of_stream) {
        if (fin_is_wide(layout.variant)) {
            lane64_store_digests(to + at, lanes->row.w64 + at, layout.lanes, pieces, swap);
        } else {
            lane32_store_digests(to + at, lanes->row.w32 + at, layout.lanes, pieces, swap);
        }
    }
}

/* Writes the digests directly, unless lanes are idle or the last piece is incomplete. */
FIN_INLINE void fin_write_digests(fin_lane_layout layout, const fin_group_rules *rules,
                                  const fin_lanes *lanes, const fin_group *group)
{
    uint8_t whole[FIN_LANES_MAX][64];
    uint8_t *to[FIN_LANES_MAX];
    if (group->count == layout.lanes &&
        rules->digest_bytes == fin_variant_block(layout.variant) / 2) {
        fin_store_digests(layout, group->digest, lanes, fin_variant_block(layout.variant) / 32);
        return;
    }
    if (group->count == layout.lanes && rules->digest_bytes % 16 == 0) {
        fin_store_digests(layout, group->digest, lanes, rules->digest_bytes / 16);
        return;
    }
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        to[lane] = whole[lane];
    }
    fin_store_digests(layout, to, lanes, fin_variant_block(layout.variant) / 32);
    fin_write_parts(layout, rules, group, whole[0]);
    fin_erase(whole, layout.lanes * sizeof whole[0]);
}
#else
FIN_INLINE void fin_write_digests(fin_lane_layout layout, const fin_group_rules *rules,
                                  const fin_lanes *lanes, const fin_group *group)
{
    uint8_t whole[FIN_LANES_MAX][64];
    if (rules->digest_bytes == fin_variant_block(layout.variant) / 2) {
        for (size_t lane = 0; lane < group->count; lane++) {
            fin_lane_digest(layout, lanes, lane, group->digest[lane],
                            fin_variant_block(layout.variant) / 2);
        }
        return;
    }
    for (size_t lane = 0; lane < group->count; lane++) {
        fin_lane_digest(layout, lanes, lane, whole[lane], fin_variant_block(layout.variant) / 2);
    }
    fin_write_parts(layout, rules, group, whole[0]);
    fin_erase(whole, group->count * sizeof whole[0]);
}
#endif
