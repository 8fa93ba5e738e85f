/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The final blocks of a group's messages, copied and padded. For group_steps.h; vec/tails_*.h pads
 * them in registers.
 */

/* Final-block parameters that all lanes share. Passed by value: a byte store may alias memory. */
typedef struct fin_group_final {
    size_t blocks;      /* of a message */
    size_t copied;      /* number of copied blocks */
    bool half;          /* only half of a block is read */
    size_t full_length; /* 1 or 0: a whole word, as gcc loads it */
    bool prefixed;
    uint8_t prefix;
#ifdef FIN_TAIL_LINES
    tail_line padding; /* of the last line, except BLAKE's length */
#endif
} fin_group_final;

/* Returns the distance between the copied blocks of two lanes: whole lines of 64 bytes. Without
   lines, a copy may write past the blocks. */
FIN_INLINE size_t fin_copied_apart(fin_lane_layout layout, size_t copied, size_t lines)
{
    return lines != 0 ? 64 * lines : copied * fin_variant_block(layout.variant) + 64;
}

/* Copies blocks in 16-byte pieces. They hold the last rest bytes of the message, whose length is
   bytes; both include the prefix. */
FIN_INLINE void fin_copy_pieces(fin_lane_layout layout, fin_group_final final, uint8_t *to,
                                const uint8_t *in, size_t rest, size_t bytes)
{
    const uint8_t mark = fin_byte_after(layout.variant, 0, 0);
    memset(to, 0, final.half ? 64 : fin_variant_block(layout.variant));
    if (final.copied == 2) {
        memset(to + fin_variant_block(layout.variant), 0, fin_variant_block(layout.variant));
    }
    if (final.prefixed) {
        to[0] = final.prefix;
        fin_copy_tail(to + 1, in, rest - 1, mark);
    } else {
        fin_copy_tail(to, in, rest, mark);
    }
    if (!fin_is_unpadded(layout.variant)) {
        const uint64_t length = fin_family_of(layout.variant) == FIN_FAMILY_BLAKE
                                    ? 8 * (uint64_t)bytes
                                    : (uint64_t) final.blocks;
        fin_set_length(layout.variant, to + final.copied * fin_variant_block(layout.variant),
                       final.full_length, length, 0);
    }
}

#ifdef FIN_TAIL_LINES
/* Copies blocks as fin_copy_pieces does, in lines of 64 bytes. */
FIN_INLINE void fin_copy_lines(fin_lane_layout layout, fin_group_final final, uint8_t *to,
                               const uint8_t *in, size_t rest, size_t lines, size_t bytes)
{
    const tail t = tail_of(in, rest, fin_byte_after(layout.variant, 0, 0));
    for (size_t line = 0; line < lines; line++) {
        const bool is_last = line + 1 == lines;
        tail_line x =
            final.prefixed ? tail_load_prefixed(t, final.prefix, line) : tail_load(t, line);
        if (!fin_is_unpadded(layout.variant) && is_last) {
            x = tail_or(x, final.padding);
        }
        if (fin_family_of(layout.variant) == FIN_FAMILY_BLAKE && is_last) {
            x = tail_or_word(x, 7, __builtin_bswap64(8 * (uint64_t)bytes));
        }
        tail_store(to + 64 * line, x);
    }
}

/* Returns the padding with BLAKE's bit of full digests or Grøstl's number of blocks. */
FIN_INLINE tail_line fin_tail_padding(fin_lane_layout layout, bool full_length, size_t blocks)
{
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        return tail_or_word(tail_zero(), 7, __builtin_bswap64(blocks));
    }
    const unsigned at = fin_is_wide(layout.variant) ? FIN_FULL_LENGTH_AT_WIDE : FIN_FULL_LENGTH_AT;
    return tail_or_word(tail_zero(), at,
                        fin_blake_padding_word(layout.variant, at, full_length, 0));
}
#endif

/* Copies a lane's final blocks in lines of 64 bytes, or in pieces if lines is 0. */
FIN_INLINE void fin_copy_final(fin_lane_layout layout, fin_group_final final, uint8_t *to,
                               const uint8_t *in, size_t rest, size_t lines, size_t bytes)
{
#ifdef FIN_TAIL_LINES
    if (lines != 0) {
        fin_copy_lines(layout, final, to, in, rest, lines, bytes);
        return;
    }
#endif
    (void)lines;
    fin_copy_pieces(layout, final, to, in, rest, bytes);
}

/* True if all messages have this length. */
FIN_INLINE bool fin_all_have(fin_lane_layout layout, const uint32_t *lengths, size_t bytes)
{
    uint32_t differs = 0;
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        differs |= lengths[lane] ^ (uint32_t)bytes;
    }
    return differs == 0;
}

/* Copies every lane's last blocks, which the kernel reads whole, and sets their addresses. A
   message whose rest has whole_bytes is read in place. Returns an upper bound of the copied
   bytes. */
FIN_INLINE size_t fin_copy_lanes(fin_lane_layout layout, fin_group_final final,
                                 const fin_group_source *source, uint8_t *copied,
                                 const uint8_t **last, size_t whole_bytes, size_t lines)
{
    const size_t at = (final.blocks - final.copied) * fin_variant_block(layout.variant);
    const uint8_t *const *in = source->in;
    const uint32_t *lengths = source->bytes;
    if (whole_bytes != SIZE_MAX && fin_all_have(layout, lengths, at + whole_bytes)) {
        for (size_t lane = 0; lane < layout.lanes; lane++) {
            last[lane] = in[lane] + at;
        }
        return 0;
    }
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        const size_t bytes = lengths[lane] + (size_t) final.prefixed;
        if (bytes - at == whole_bytes) {
            last[lane] = in[lane] + at;
        } else {
            uint8_t *to = copied + lane * fin_copied_apart(layout, final.copied, lines);
            last[lane] = to;
            fin_copy_final(layout, final, to, in[lane] + at, bytes - at, lines, bytes);
        }
    }
    return layout.lanes * fin_copied_apart(layout, final.copied, lines);
}

/* Copies every lane's last blocks with the loop's conditions as constants. */
FIN_INLINE size_t fin_copy_all(fin_lane_layout layout, fin_group_final final,
                               const fin_group_source *source, uint8_t *copied,
                               const uint8_t **last, size_t whole_bytes)
{
#ifdef FIN_TAIL_LINES
    const size_t block_lines = fin_variant_block(layout.variant) / 64;
    const size_t lines = final.half ? 1 : final.copied * block_lines;
    if (final.prefixed) {
        return fin_copy_lanes(layout, final, source, copied, last, SIZE_MAX,
                              FIN_TAIL_PREFIXES * lines);
    }
    if (lines == 2 * block_lines) {
        return fin_copy_lanes(layout, final, source, copied, last, whole_bytes, 2 * block_lines);
    }
    return lines == block_lines
               ? fin_copy_lanes(layout, final, source, copied, last, whole_bytes, block_lines)
               : fin_copy_lanes(layout, final, source, copied, last, whole_bytes, 1);
#else
    return fin_copy_lanes(layout, final, source, copied, last,
                          final.prefixed ? SIZE_MAX : whole_bytes, 0);
#endif
}

/* Copies the padding after messages of whole blocks, once for all lanes. Returns the number of
   copied bytes. */
FIN_INLINE size_t fin_copy_padding(fin_lane_layout layout, fin_group_final final, size_t bytes,
                                   uint8_t *copied, const uint8_t **last)
{
    final.prefixed = false; /* else gcc warns of copying a prefix that no message byte follows */
    fin_copy_final(layout, final, copied, copied, 0, fin_variant_block(layout.variant) / 64, bytes);
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        last[lane] = copied;
    }
    return fin_copied_apart(layout, 1, 0);
}
