/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * For valgrind's memcheck, which reports every branch and every address that depends on undefined
 * bytes: messages, keys and salts are declared undefined and hashed by one kind of implementation.
 *
 *   constant_time yes   those that claim to be constant-time: there must be no report
 *   constant_time no    those that do not: there must be one, or this test would show nothing
 *
 * What memcheck cannot see: a byte shuffle or an AES instruction on secrets counts as an operation
 * like any other. Most instructions that valgrind does not know are hidden by its CPUID; an
 * implementation that meets another one (version 3.19 lacks vmovq between registers) is named and
 * left.
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "check.h"
#include "finalist.h"

static uint8_t message[600], key[64], salt[32];

static sigjmp_buf unknown_instruction;

static void leave_implementation(int signal_number)
{
    siglongjmp(unknown_instruction, signal_number);
}

static void hash_secretly(const fin_algorithm_info *info)
{
    static const size_t lengths[] = {0, 1, 63, 64, 127, 128, 129, 600};
    fin_params params = {.salt = salt, .salt_bytes = info->salt_bytes};
    params.key = key;
    params.key_bytes = info->key_bytes_max;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t digest[64];
        fin_context context;
        CHECK_STATUS(
            FIN_OK, fin_hash(info->algorithm, &params, message, lengths[i], digest, sizeof digest));
        CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, &params));
        CHECK_STATUS(FIN_OK, fin_update(&context, message, lengths[i] / 3));
        CHECK_STATUS(FIN_OK, fin_update(&context, message, lengths[i] - lengths[i] / 3));
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
    }
}

/* Every algorithm that the implementation's compression function serves. */
static void hash_secretly_by(const fin_impl_info *impl)
{
    for (size_t a = 0; a < fin_algorithm_count(); a++) {
        const fin_algorithm_info *info = fin_algorithm_at(a);
        if (strcmp(info->compression, impl->algorithm) != 0) {
            continue;
        }
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, impl->name));
        if (sigsetjmp(unknown_instruction, 1) == 0) {
            hash_secretly(info);
        } else {
            printf("not seen by valgrind: %s %s\n", info->name, impl->name);
        }
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, NULL));
    }
}

int main(int count, char **arguments)
{
    const bool wanted = count > 1 && strcmp(arguments[1], "yes") == 0;
    CHECK(count > 1 && RUNNING_ON_VALGRIND != 0);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(message, sizeof message);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(salt, sizeof salt);
    signal(SIGILL, leave_implementation);
    fin_impl_info impl;
    for (size_t i = 0; i < fin_impl_count(); i++) {
        CHECK_STATUS(FIN_OK, fin_impl_at(i, &impl));
        if (!impl.supported || impl.constant_time != wanted || strcmp(impl.mode, "single") != 0) {
            continue;
        }
        hash_secretly_by(&impl);
    }
    return check_report();
}
