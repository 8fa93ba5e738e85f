/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Converts sixteen columns of eight bytes to eight rows of sixteen and back, in every 128-bit part
 * of eight registers.
 *
 *   FIN_TYPE        the registers' type
 *   FIN_TYPE_OP(op) the vector abstraction's name of op on it: part_##op
 *   FIN_NAME_OF(name)  the names of the functions to define
 */

/* The control that interleaves two columns: c0r0 .. c0r7 c1r0 .. c1r7 -> c0r0 c1r0 c0r1 .. */
static const _Alignas(16) uint8_t
    FIN_NAME_OF(fin_column_pairs)[16] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};

/* From two columns per register to row i in register i. */
FIN_INLINE void FIN_NAME_OF(fin_columns_to_rows)(FIN_TYPE x[8], FIN_TYPE pairs)
{
    FIN_TYPE fours[2][4], eights[4][2];
    for (unsigned i = 0; i < 4; i++) {
        const FIN_TYPE a = FIN_TYPE_OP(shuffle)(x[2 * i], pairs);
        const FIN_TYPE b = FIN_TYPE_OP(shuffle)(x[2 * i + 1], pairs);
        fours[0][i] = FIN_TYPE_OP(low16)(a, b);  /* rows 0..3 of columns 4 i .. 4 i + 3 */
        fours[1][i] = FIN_TYPE_OP(high16)(a, b); /* rows 4..7 */
    }
    for (unsigned i = 0; i < 4; i++) { /* rows 2 i and 2 i + 1 */
        const FIN_TYPE *rows = fours[i / 2];
        for (unsigned half = 0; half < 2; half++) { /* of columns 8 half .. 8 half + 7 */
            const FIN_TYPE a = rows[2 * half], b = rows[2 * half + 1];
            eights[i][half] = i % 2 == 0 ? FIN_TYPE_OP(low32)(a, b) : FIN_TYPE_OP(high32)(a, b);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        x[2 * i] = FIN_TYPE_OP(low64)(eights[i][0], eights[i][1]);
        x[2 * i + 1] = FIN_TYPE_OP(high64)(eights[i][0], eights[i][1]);
    }
}

FIN_INLINE void FIN_NAME_OF(fin_rows_to_columns)(FIN_TYPE x[8])
{
    FIN_TYPE twos[2][4], fours[4][2];
    for (unsigned i = 0; i < 4; i++) {
        twos[0][i] = FIN_TYPE_OP(low8)(x[2 * i], x[2 * i + 1]);  /* columns 0..7 */
        twos[1][i] = FIN_TYPE_OP(high8)(x[2 * i], x[2 * i + 1]); /* columns 8..15 */
    }
    for (unsigned i = 0; i < 4; i++) { /* columns 4 i .. 4 i + 3 */
        const FIN_TYPE *columns = twos[i / 2];
        for (unsigned half = 0; half < 2; half++) { /* of rows 4 half .. 4 half + 3 */
            const FIN_TYPE a = columns[2 * half], b = columns[2 * half + 1];
            fours[i][half] = i % 2 == 0 ? FIN_TYPE_OP(low16)(a, b) : FIN_TYPE_OP(high16)(a, b);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        x[2 * i] = FIN_TYPE_OP(low32)(fours[i][0], fours[i][1]);
        x[2 * i + 1] = FIN_TYPE_OP(high32)(fours[i][0], fours[i][1]);
    }
}
