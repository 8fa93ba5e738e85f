/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Hashes consecutive nodes of BLAKE3 in groups of one per lane. For group_steps.h, with
 * laneB_store_digests.
 */

/* Part of a row as the kernels load it: narrower stores would delay the load. */
typedef uint32_t fin_row_part __attribute__((vector_size(4 * FIN_GROUP_LANES32)));

/* Sets the rows before the nodes' first block. */
FIN_INLINE void fin_level_start(const fin_level *level, fin_lanes *lanes, size_t lane_count)
{
    static const uint32_t indices[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const fin_row_part zeros = {0};
    fin_row_part index;
    memcpy(&index, indices, sizeof index);
    for (size_t lane = 0; lane < lane_count; lane += FIN_GROUP_LANES32) {
        uint32_t *part = lanes->row.w32 + lane;
        const uint64_t number = level->number + lane * level->step;
        const fin_row_part low = zeros + (uint32_t)number + index * level->step;
        const fin_row_part carry = (fin_row_part)(low < zeros + (uint32_t)number); /* ones or 0 */
        const fin_row_part rows[4] = {low, zeros + (uint32_t)(number >> 32) - carry,
                                      zeros + FIN_BLAKE3_BLOCK, zeros + (uint32_t)level->flags};
        for (size_t i = 0; i < 8; i++) {
            const fin_row_part word = zeros + level->key[i];
            __asm__("" : "+r"(i)); /* else gcc unrolls the loop */
            memcpy(part, &word, sizeof word);
            part += lane_count;
        }
        part += (FIN_LANE_T - 8) * lane_count;
        for (size_t i = 0; i < 4; i++) { /* FIN_LANE_T, FIN_LANE_F */
            memcpy(part, &rows[i], sizeof rows[i]);
            part += lane_count;
        }
    }
}

/* Writes the chaining values of the first count lanes. */
FIN_INLINE void fin_level_end(const fin_lanes *lanes, size_t lane_count, size_t count, uint8_t *cvs)
{
    uint8_t whole[FIN_LANES_MAX * FIN_CV_BYTES];
    uint8_t *to[FIN_LANES_MAX];
    uint8_t *first = count == lane_count ? cvs : whole;
    for (size_t lane = 0; lane < lane_count; lane++) {
        to[lane] = first + FIN_CV_BYTES * lane;
    }
    for (size_t lane = 0; lane < lane_count; lane += FIN_GROUP_LANES32) {
        lane32_store_digests(to + lane, lanes->row.w32 + lane, lane_count, FIN_CV_BYTES / 16,
                             false);
    }
    if (first != cvs) {
        fin_copy_items(cvs, whole, FIN_CV_BYTES, count);
        fin_erase(whole, FIN_CV_BYTES * lane_count);
    }
}

/* Not inlined twice. The stores are as wide as the kernel's loads. */
static FIN_NOINLINE void fin_level_point_wide(const fin_level *level, const uint8_t **in,
                                              size_t lane_count, size_t count)
{
    fin_level_point(level, in, lane_count, count);
}

static void fin_hash_level(const fin_level *level, const fin_impl *impl, fin_lanes *lanes,
                           size_t count, uint8_t *cvs)
{
#ifdef FIN_GROUP_BOTH
    const size_t lane_count = impl->lanes;
#else
    const size_t lane_count = FIN_GROUP_STREAMS * FIN_GROUP_LANES32;
#endif
    const size_t group_bytes = lane_count * FIN_BLAKE3_BLOCK * level->blocks;
    fin_level group = *level;
    const uint8_t *next[FIN_LANES_MAX];
    fin_level_point_wide(&group, lanes->in, lane_count, count);
    while (count != 0) {
        const size_t taken = count < lane_count ? count : lane_count;
        fin_level_start(&group, lanes, lane_count);
        count -= taken;
        if (count != 0) {
            group.in += group_bytes;
            group.number += lane_count * group.step;
            fin_level_point_wide(&group, next, lane_count, count);
        }
        fin_compress_ahead(impl, lanes, group.blocks, FIN_BLAKE3_BLOCK, count != 0 ? lanes : NULL,
                           next);
        fin_level_end(lanes, lane_count, taken, cvs);
        cvs += FIN_CV_BYTES * taken;
        if (count != 0) {
            memcpy((void *)lanes->in, (const void *)next, lane_count * sizeof next[0]);
        }
    }
}
