/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The secrets of tests/secrets/wipe.c: words that must not remain in memory, and the search for
 * them.
 */

/* A secret's words. Several of them on the stack are a leak; a single 32-bit one may be chance. */
typedef struct secret {
    const char *name;
    size_t word_bytes;
    unsigned found; /* one bit for each word */
} secret;

typedef struct slot {
    uint64_t word;
    unsigned secret, index;
    bool used;
} slot;

static secret secrets[SECRETS_MAX + 1]; /* the last element replaces forgotten ones */
static unsigned secret_count;
static slot slots[SLOTS];

static size_t word_bytes(fin_algorithm algorithm)
{
    const char *compression = fin_algorithm_describe(algorithm)->compression;
    return strcmp(compression, "blake2b") == 0 ? 8 : 4;
}

static size_t slot_of(uint64_t word)
{
    return (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 50) % SLOTS;
}

static void forget_secrets(void)
{
    memset(slots, 0, sizeof slots);
    secret_count = 0;
}

/* Forgets the secrets from index `count` on. */
static void forget_since(unsigned count)
{
    const unsigned added = secret_count;
    for (size_t i = 0; i < SLOTS && added != count; i++) {
        if (slots[i].used && slots[i].secret >= count) {
            slots[i].word = 0; /* the slot stays, since later words may have been hashed past it */
            slots[i].secret = SECRETS_MAX;
        }
    }
    secret_count = count;
}

/* Loads a word in the machine's byte order. */
static uint64_t load_word(const uint8_t *bytes, size_t count)
{
    uint32_t narrow;
    uint64_t wide;
    if (count == 8) {
        memcpy(&wide, bytes, 8);
        return wide;
    }
    memcpy(&narrow, bytes, 4);
    return narrow;
}

static void add_secret(const char *name, const void *bytes, size_t count, size_t word)
{
    if (!CHECK_NEEDED(secret_count < SECRETS_MAX)) {
        return;
    }
    secrets[secret_count] = (secret){name, word, 0};
    for (unsigned i = 0; i < count / word; i++) {
        const uint64_t value = load_word((const uint8_t *)bytes + i * word, word);
        size_t at = slot_of(value);
        while (slots[at].used) {
            at = (at + 1) % SLOTS;
        }
        slots[at] = (slot){value, secret_count, i % 32, true};
    }
    secret_count++;
}

/* Adds a secret with reversed words: BLAKE's digest is its state in the other byte order. */
static void add_reversed(const char *name, const uint8_t *bytes, size_t count)
{
    uint8_t reversed[64];
    for (size_t i = 0; i < count; i++) {
        reversed[i] = bytes[count - 1 - i];
    }
    add_secret(name, reversed, 28, 4);
}

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static void mark_found(const uint8_t *bytes, size_t count, size_t word)
{
    for (size_t at = 0; at + word <= count; at++) {
        const uint64_t value = load_word(bytes + at, word);
        for (size_t i = slot_of(value); slots[i].used; i = (i + 1) % SLOTS) {
            if (slots[i].word == value && secrets[slots[i].secret].word_bytes == word) {
                secrets[slots[i].secret].found |= 1U << slots[i].index;
            }
        }
    }
}

/* Returns the name of a secret in the bytes, or null. */
static const char *find_secret(const uint8_t *bytes, size_t count)
{
    for (unsigned i = 0; i < secret_count; i++) {
        secrets[i].found = 0;
    }
    mark_found(bytes, count, 8);
    mark_found(bytes, count, 4);
    for (unsigned i = 0; i < secret_count; i++) {
        if (count_bits(secrets[i].found) >= (secrets[i].word_bytes == 8 ? 1 : 3)) {
            return secrets[i].name;
        }
    }
    return NULL;
}
