/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of twice as many messages, in two vectors: their dependency chains interleave, and fill the
 * ports while one of them waits. The includer has defined vec32 with its operations
 * (ways_256.h), and defines pair32_enter and pair32_leave, which depend on the layout of fin_lanes.
 *
 *   pair32_add, _xor, _barrier, _rotate_wordsN, _ror_N, _and_not, _repeat, _load, _store     on both vectors
 */
#ifndef FIN_WAYS_PAIR_H
#define FIN_WAYS_PAIR_H

#include "bytes.h"

typedef struct pair32 {
    vec32 lo, hi;
} pair32;

FIN_INLINE pair32 pair32_add(pair32 a, pair32 b)
{
    return (pair32){vec32_add(a.lo, b.lo), vec32_add(a.hi, b.hi)};
}
FIN_INLINE pair32 pair32_xor(pair32 a, pair32 b)
{
    return (pair32){vec32_xor(a.lo, b.lo), vec32_xor(a.hi, b.hi)};
}
FIN_INLINE pair32 pair32_and_not(pair32 a, pair32 b)
{
    return (pair32){vec32_and_not(a.lo, b.lo), vec32_and_not(a.hi, b.hi)};
}
FIN_INLINE pair32 pair32_repeat(const void *p)
{
    return (pair32){vec32_repeat(p), vec32_repeat(p)};
}
FIN_INLINE pair32 pair32_load(const void *p)
{
    return (pair32){vec32_load(p), vec32_load((const vec32 *)p + 1)};
}
FIN_INLINE void pair32_store(void *p, pair32 x)
{
    vec32_store(p, x.lo);
    vec32_store((vec32 *)p + 1, x.hi);
}

#define FIN_OF_PAIR(name)                                        \
    FIN_INLINE pair32 pair32_##name(pair32 x)                    \
    {                                                            \
        return (pair32){vec32_##name(x.lo), vec32_##name(x.hi)}; \
    }
FIN_OF_PAIR(barrier)
FIN_OF_PAIR(rotate_words1)
FIN_OF_PAIR(rotate_words2)
FIN_OF_PAIR(rotate_words3)
FIN_OF_PAIR(ror_16)
FIN_OF_PAIR(ror_12)
FIN_OF_PAIR(ror_8)
FIN_OF_PAIR(ror_7)
#undef FIN_OF_PAIR

#endif
