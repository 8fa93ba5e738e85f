/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests the provider for OpenSSL: OpenSSL's own BLAKE2 vectors, random contexts against OpenSSL's
 * default provider and against the library, several threads, and calls in a wrong order or with a
 * wrong length.
 *
 *     test_openssl DIRECTORY VECTORS    loads DIRECTORY/finalist.so
 *     test_openssl DIRECTORY --bench    compares its speed with the default provider's
 *     test_openssl DIRECTORY VECTORS --memcheck    for valgrind, which looks at freed memory itself
 */
#include "check.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_MAX = 2048, BYTES_MAX = 5000, OUT_MAX = 200, THREADS = 4 };

/* Two library contexts, so that no call can reach the wrong provider. */
static OSSL_LIB_CTX *ours, *theirs;

#include "evp_vectors.h"

/* ---- Random contexts ---- */

typedef struct random_state {
    uint64_t state;
} random_state;

/* splitmix64 like check_random(), with a state for each thread. */
static size_t below(random_state *random, size_t limit)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((z ^ (z >> 31)) % limit);
}

static uint8_t text[BYTES_MAX];

/* Returns a length around zero, one block or the short-message buffer, or any other. */
static size_t random_length(random_state *random)
{
    static const size_t limits[] = {3, 200, 600, BYTES_MAX};
    return below(random, limits[below(random, 4)]);
}

/* Computes a digest in parts, in a context that is sometimes replaced by its copy. */
static bool digest_in_pieces(OSSL_LIB_CTX *library, const char *name, size_t count, uint64_t seed,
                             uint8_t *out, unsigned int *written)
{
    random_state random = {seed};
    EVP_MD *md = EVP_MD_fetch(library, name, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = md != NULL && EVP_DigestInit_ex2(context, md, NULL);
    for (size_t at = 0; done && at < count;) {
        const size_t piece = 1 + below(&random, count - at);
        done = EVP_DigestUpdate(context, text + at, piece);
        at += piece;
        if (done && below(&random, 3) == 0) {
            EVP_MD_CTX *copy = EVP_MD_CTX_new();
            done = EVP_MD_CTX_copy_ex(copy, context);
            EVP_MD_CTX_free(context);
            context = copy;
        }
    }
    done = done && EVP_DigestFinal_ex(context, out, written);
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
    return done;
}

static bool mac_in_pieces(OSSL_LIB_CTX *library, const char *name, const bytes *key,
                          const OSSL_PARAM *params, size_t count, uint64_t seed, uint8_t *out,
                          size_t *written)
{
    random_state random = {seed};
    EVP_MAC *mac = EVP_MAC_fetch(library, name, NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    bool done = context != NULL && EVP_MAC_init(context, key->data, key->count, params);
    for (size_t at = 0; done && at < count;) {
        const size_t piece = 1 + below(&random, count - at);
        done = EVP_MAC_update(context, text + at, piece);
        at += piece;
        if (done && below(&random, 3) == 0) {
            EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(context);
            EVP_MAC_CTX_free(context);
            context = copy;
            done = copy != NULL;
        }
    }
    done = done && EVP_MAC_final(context, out, written, OUT_MAX);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    return done;
}

/* Checks that both providers refuse the same MACs and agree on all others. */
static bool same_mac(random_state *random, bool wide)
{
    const size_t word = wide ? 64 : 32;
    const char *name = wide ? "BLAKE2BMAC" : "BLAKE2SMAC";
    bytes key = {.count = below(random, word + 2)};
    bytes salt = {.count = below(random, 2) * below(random, word / 4 + 2)};
    bytes custom = {.count = below(random, 2) * below(random, word / 4 + 2)};
    size_t size = below(random, 2) * below(random, word + 2);
    OSSL_PARAM params[4];
    uint8_t out[2][OUT_MAX];
    size_t written[2] = {0, 0};
    memset(key.data, (int)below(random, 256), key.count);
    memset(salt.data, (int)below(random, 256), salt.count);
    memset(custom.data, (int)below(random, 256), custom.count);
    (void)mac_params(params, &salt, &custom, &size);
    const size_t count = random_length(random);
    const uint64_t seed = below(random, SIZE_MAX);
    const bool done[2] = {
        mac_in_pieces(ours, name, &key, params, count, seed, out[0], &written[0]),
        mac_in_pieces(theirs, name, &key, params, count, seed, out[1], &written[1])};
    return done[0] == done[1] &&
           (!done[0] || (written[0] == written[1] && memcmp(out[0], out[1], written[0]) == 0));
}

static bool same_digest(random_state *random, const char *name)
{
    uint8_t out[2][EVP_MAX_MD_SIZE];
    unsigned int written[2] = {0, 0};
    const size_t count = random_length(random);
    const uint64_t seed = below(random, SIZE_MAX);
    return digest_in_pieces(ours, name, count, seed, out[0], &written[0]) &&
           digest_in_pieces(theirs, name, count, seed, out[1], &written[1]) &&
           written[0] == written[1] && memcmp(out[0], out[1], written[0]) == 0;
}

/* Digests and digest lengths that OpenSSL lacks. */
typedef struct own_digest {
    const char *name;
    fin_algorithm algorithm;
    size_t digest_bytes;
} own_digest;

static const own_digest own_digests[] = {
    {"BLAKE2B-384", FIN_BLAKE2B, 48},    {"BLAKE2B-256", FIN_BLAKE2B, 32},
    {"BLAKE2B-160", FIN_BLAKE2B, 20},    {"BLAKE2S-224", FIN_BLAKE2S, 28},
    {"BLAKE2S-160", FIN_BLAKE2S, 20},    {"BLAKE2S-128", FIN_BLAKE2S, 16},
    {"BLAKE3", FIN_BLAKE3, 32},          {"BLAKE-224", FIN_BLAKE224, 28},
    {"BLAKE-256", FIN_BLAKE256, 32},     {"BLAKE-384", FIN_BLAKE384, 48},
    {"BLAKE-512", FIN_BLAKE512, 64},     {"GROESTL-224", FIN_GROESTL224, 28},
    {"GROESTL-256", FIN_GROESTL256, 32}, {"GROESTL-384", FIN_GROESTL384, 48},
    {"GROESTL-512", FIN_GROESTL512, 64},
};
enum { OWN_DIGESTS = sizeof own_digests / sizeof own_digests[0] };

static bool same_as_library(random_state *random, const own_digest *digest)
{
    const fin_params params = {.digest_bytes = digest->digest_bytes};
    uint8_t out[EVP_MAX_MD_SIZE], expected[64];
    unsigned int written = 0;
    const size_t count = random_length(random);
    return digest_in_pieces(ours, digest->name, count, below(random, SIZE_MAX), out, &written) &&
           written == digest->digest_bytes &&
           fin_hash(digest->algorithm, &params, text, count, expected, digest->digest_bytes) ==
               FIN_OK &&
           memcmp(out, expected, written) == 0;
}

typedef struct work_share {
    random_state random;
    size_t turns, wrong;
} work_share;

static void *work(void *data)
{
    work_share *worker = data;
    for (size_t i = 0; i < worker->turns; i++) {
        worker->wrong += !same_digest(&worker->random, i % 2 == 0 ? "BLAKE2B-512" : "BLAKE2S-256");
        worker->wrong += !same_mac(&worker->random, i % 2 == 0);
        worker->wrong += !same_as_library(&worker->random, &own_digests[i % OWN_DIGESTS]);
    }
    ERR_clear_error();
    return NULL;
}

/* Each thread compares three contexts in each of its turns. */
static void random_contexts(size_t threads, size_t turns)
{
    pthread_t thread[THREADS];
    work_share workers[THREADS];
    check_context("random contexts, %zu threads", threads);
    for (size_t i = 0; i < threads; i++) {
        workers[i] = (work_share){{check_random()}, turns, 0};
        (void)CHECK_NEEDED(pthread_create(&thread[i], NULL, work, &workers[i]) == 0);
    }
    for (size_t i = 0; i < threads; i++) {
        (void)CHECK_NEEDED(pthread_join(thread[i], NULL) == 0);
        CHECK(workers[i].wrong == 0);
    }
}

/* ---- Lengths, order, names, output of any length, saved contexts ---- */

#include "evp_params.h"

static void digest_sizes(void)
{
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE2B-512", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    for (size_t size = 0; size <= 66; size++) {
        uint8_t out[EVP_MAX_MD_SIZE], expected[64];
        unsigned int written = 0;
        const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_SIZE, &size),
                                     OSSL_PARAM_construct_end()};
        const fin_params ask = {.digest_bytes = size};
        const bool valid = size >= 1 && size <= 64;
        check_context("BLAKE2B-512 with size %zu", size);
        CHECK(EVP_DigestInit_ex2(context, md, params) == valid);
        if (valid) {
            CHECK(EVP_DigestUpdate(context, text, 100));
            CHECK(EVP_DigestFinal_ex(context, out, &written) && written == size);
            CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2B, &ask, text, 100, expected, size));
            CHECK_BYTES(expected, out, size);
        }
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
    ERR_clear_error();
}

static void outputs_of_any_length(void)
{
    static uint8_t out[3000], expected[3000];
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE3", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    for (size_t i = 0; i < 50; i++) {
        const size_t size = 1 + check_random_below(sizeof out),
                     count = check_random_below(BYTES_MAX);
        const fin_params params = {.digest_bytes = size};
        check_context("BLAKE3, %zu bytes of output", size);
        CHECK(EVP_DigestInit_ex2(context, md, NULL));
        CHECK(EVP_DigestUpdate(context, text, count));
        CHECK(EVP_DigestFinalXOF(context, out, size));
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, text, count, expected, size));
        CHECK_BYTES(expected, out, size);
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
}

static void wrong_order(void)
{
    uint8_t out[OUT_MAX];
    size_t written = 0;
    EVP_MAC *mac = EVP_MAC_fetch(ours, "BLAKE2BMAC", NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    check_context("calls in a wrong order");
    CHECK(!EVP_MAC_update(context, text, 10));
    CHECK(!EVP_MAC_init(context, NULL, 0, NULL));
    CHECK(EVP_MAC_init(context, text, 32, NULL));
    CHECK(EVP_MAC_update(context, text, 600));
    CHECK(EVP_MAC_final(context, out, &written, sizeof out) && written == 64);
    CHECK(!EVP_MAC_update(context, text, 10));
    CHECK(!EVP_MAC_final(context, out, &written, sizeof out));
    /* The key is kept for the next message. */
    CHECK(EVP_MAC_init(context, NULL, 0, NULL) && EVP_MAC_final(context, out, &written, 64));
    CHECK(EVP_MAC_init(context, NULL, 0, NULL) && !EVP_MAC_final(context, out, &written, 63));
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    ERR_clear_error();
}

static void one_call(void)
{
    uint8_t out[OUT_MAX], expected[64];
    size_t written = 0;
    const fin_params params = {.key = text, .key_bytes = 32};
    check_context("EVP_Q_mac, EVP_Q_digest");
    CHECK(EVP_Q_mac(ours, "BLAKE2SMAC", NULL, NULL, NULL, text, 32, text, 1000, out, sizeof out,
                    &written) == out);
    CHECK(written == 32);
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2S, &params, text, 1000, expected, 32));
    CHECK_BYTES(expected, out, 32);
    CHECK(EVP_Q_digest(ours, "BLAKE3", NULL, text, 1000, out, &written) && written == 32);
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, NULL, text, 1000, expected, 32));
    CHECK_BYTES(expected, out, 32);
}

#include "evp_contexts.h"

#ifdef OSSL_FUNC_DIGEST_SQUEEZE
static void squeezed(void)
{
    static uint8_t out[3000], expected[3000];
    const fin_params params = {.digest_bytes = sizeof out};
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE3", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    check_context("BLAKE3, squeezed");
    CHECK(EVP_DigestInit_ex2(context, md, NULL) && EVP_DigestUpdate(context, text, 100));
    for (size_t at = 0; at < sizeof out;) {
        const size_t left = sizeof out - at;
        const size_t piece = 1 + check_random_below(left < 200 ? left : 200);
        CHECK(EVP_DigestSqueeze(context, out + at, piece));
        at += piece;
    }
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, text, 100, expected, sizeof expected));
    CHECK_BYTES(expected, out, sizeof out);
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
}
#endif

#ifdef OSSL_FUNC_DIGEST_SERIALIZE
/* Restores a saved context and continues; a context of another digest must refuse it. */
static void serialized(void)
{
    uint8_t saved[FIN_MIDSTATE_BYTES_MAX], out[2][64];
    EVP_MD *other = EVP_MD_fetch(ours, "BLAKE2B-256", NULL);
    for (size_t i = 0; i < 40; i++) {
        const own_digest *digest = &own_digests[i % OWN_DIGESTS];
        const size_t first = check_random_below(BYTES_MAX), rest = BYTES_MAX - first;
        size_t bytes = 0;
        EVP_MD *md = EVP_MD_fetch(ours, digest->name, NULL);
        EVP_MD_CTX *from = EVP_MD_CTX_new(), *to = EVP_MD_CTX_new();
        check_context("%s, saved after %zu bytes", digest->name, first);
        CHECK(EVP_DigestInit_ex2(from, md, NULL) && EVP_DigestUpdate(from, text, first));
        CHECK(EVP_MD_CTX_serialize(from, NULL, &bytes) && bytes <= sizeof saved);
        CHECK(EVP_MD_CTX_serialize(from, saved, &bytes));
        CHECK(EVP_DigestInit_ex2(to, other, NULL));
        CHECK(EVP_MD_CTX_deserialize(to, saved, bytes) ==
              (strcmp(digest->name, "BLAKE2B-256") == 0));
        CHECK(EVP_DigestInit_ex2(to, md, NULL));
        CHECK(!EVP_MD_CTX_deserialize(to, saved, bytes - 1));
        CHECK(EVP_MD_CTX_deserialize(to, saved, bytes));
        CHECK(EVP_DigestUpdate(to, text + first, rest) && EVP_DigestFinal_ex(to, out[0], NULL));
        CHECK(EVP_DigestUpdate(from, text + first, rest) && EVP_DigestFinal_ex(from, out[1], NULL));
        CHECK_BYTES(out[1], out[0], digest->digest_bytes);
        EVP_MD_CTX_free(from);
        EVP_MD_CTX_free(to);
        EVP_MD_free(md);
    }
    EVP_MD_free(other);
    ERR_clear_error();
}
#endif

/* Tests interfaces that OpenSSL 3.3 and 4.0 added. */
static void later_interfaces(void)
{
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
    squeezed();
#endif
#ifdef OSSL_FUNC_DIGEST_SERIALIZE
    serialized();
#endif
}

/* ---- Speed ---- */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns seconds a message, hashed repeatedly in one context. */
static double time_of(EVP_MD_CTX *context, const EVP_MD *md, const uint8_t *in, size_t count)
{
    const size_t calls = 1 + 200000 / (count + 200);
    uint8_t out[EVP_MAX_MD_SIZE];
    const double start = seconds();
    for (size_t i = 0; i < calls; i++) {
        (void)EVP_DigestInit_ex2(context, md, NULL);
        (void)EVP_DigestUpdate(context, in, count);
        (void)EVP_DigestFinal_ex(context, out, NULL);
    }
    return (seconds() - start) / (double)calls;
}

static void bench(void)
{
    static const char *const digests[] = {"BLAKE2B-512", "BLAKE2S-256"};
    static const size_t counts[] = {64, 1024, 16384, 1048576};
    static uint8_t in[1048576];
    printf("%-12s %8s %12s %12s %6s\n", "digest", "bytes", "finalist ns", "default ns", "ratio");
    for (size_t d = 0; d < 2; d++) {
        EVP_MD *md[2] = {EVP_MD_fetch(ours, digests[d], NULL),
                         EVP_MD_fetch(theirs, digests[d], NULL)};
        EVP_MD_CTX *context[2] = {EVP_MD_CTX_new(), EVP_MD_CTX_new()};
        for (size_t c = 0; c < 4; c++) {
            double least[2] = {1, 1};
            for (size_t turn = 0; turn < 400; turn++) {
                const double now = time_of(context[turn % 2], md[turn % 2], in, counts[c]);
                least[turn % 2] = now < least[turn % 2] ? now : least[turn % 2];
            }
            printf("%-12s %8zu %12.0f %12.0f %6.2f\n", digests[d], counts[c], least[0] * 1e9,
                   least[1] * 1e9, least[1] / least[0]);
        }
        for (size_t i = 0; i < 2; i++) {
            EVP_MD_CTX_free(context[i]);
            EVP_MD_free(md[i]);
        }
    }
}

/* Returns true if OpenSSL's queue has the error of the variable, with the item that is wrong. */
static bool environment_is_told(void)
{
    char expected[200];
    const char *data = NULL;
    int flags = 0;
    snprintf(expected, sizeof expected, "FINALIST_CPU: -nosuch: %s",
             fin_status_text(FIN_ERR_ENVIRONMENT));
    for (unsigned long error; (error = ERR_get_error_all(NULL, NULL, NULL, &data, &flags)) != 0;) {
        if (ERR_GET_LIB(error) == ERR_LIB_PROV && ERR_GET_REASON(error) == ERR_R_INIT_FAIL &&
            strcmp(data, expected) == 0) {
            return true;
        }
    }
    return false;
}

/* With a wrong environment variable the provider does not load. They are read once, hence a process
   of its own. */
static void wrong_environment(const char *directory)
{
    int ended = -1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
        setenv("FINALIST_CPU", "-nosuch", 1);
        const bool refused = OSSL_PROVIDER_set_default_search_path(own, directory) &&
                             OSSL_PROVIDER_load(own, "finalist") == NULL;
        _exit(refused && environment_is_told() ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    check_context("wrong environment");
    CHECK(pid > 0 && waitpid(pid, &ended, 0) == pid);
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_SUCCESS);
}

int main(int count, char **arguments)
{
    check_options(&count, arguments);
    const bool memcheck = count == 4 && strcmp(arguments[3], "--memcheck") == 0;
    if (count != 3 && !memcheck) {
        fprintf(stderr, "usage: %s DIRECTORY VECTORS [--memcheck] | --bench\n", arguments[0]);
        return 2;
    }
    if (!memcheck) {
        /* Before OpenSSL allocates anything. */
        can_watch_memory = CRYPTO_set_mem_functions(watched_malloc, watched_realloc, watched_free);
        CHECK(can_watch_memory);
    }
    wrong_environment(arguments[1]);
    ours = OSSL_LIB_CTX_new();
    theirs = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *finalist = NULL, *standard = OSSL_PROVIDER_load(theirs, "default");
    if (OSSL_PROVIDER_set_default_search_path(ours, arguments[1])) {
        finalist = OSSL_PROVIDER_load(ours, "finalist");
    }
    CHECK(finalist != NULL && standard != NULL);
    if (finalist == NULL || standard == NULL) {
        ERR_print_errors_fp(stderr);
    } else if (strcmp(arguments[2], "--bench") == 0) {
        bench();
    } else {
        check_random_bytes(text, sizeof text);
        vectors(arguments[2]);
        parameters(finalist);
        digest_sizes();
        outputs_of_any_length();
        wrong_order();
        one_call();
        contexts(finalist);
        later_interfaces();
        random_contexts(1, 2000);
        random_contexts(THREADS, 500);
    }
    OSSL_PROVIDER_unload(finalist);
    OSSL_PROVIDER_unload(standard);
    OSSL_LIB_CTX_free(ours);
    OSSL_LIB_CTX_free(theirs);
    return check_report();
}
