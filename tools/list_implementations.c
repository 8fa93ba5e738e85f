/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The implementations in this build, one JSON object a line, for tools/matrix.py: what `finalist
 * list --json` says, where there is no Rust. No text of a record needs an escape.
 */
#include <finalist.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        printf(
            "{\"algorithm\": \"%s\", \"name\": \"%s\", \"technique\": \"%s\", \"source\": \"%s\", "
            "\"features\": \"%s\", \"lanes\": %u, \"constant_time\": %s, \"supported\": %s}\n",
            impl.algorithm, impl.name, impl.technique, impl.source, impl.features,
            (unsigned)impl.lanes, impl.constant_time ? "true" : "false",
            impl.supported ? "true" : "false");
    }
    return EXIT_SUCCESS;
}
