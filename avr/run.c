/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Runs the AVR programs in libsimavr (ATmega1284P), which counts cycles exactly, and prints the
 * cost of each. Checks every known answer that the function accepts, that the time does not depend
 * on the data, the limits, and that README.md and the sources quote the same figures.
 *
 *   run PROGRAMS SOURCES VECTORS...    the folders of the programs (NAME.elf and NAME.o) and of the
 *                                      sources, which quote the figures; JSON-lines files
 *
 * Cycles per byte are those of 64 more blocks in a long message. RAM is .data and .bss of the
 * linked program, which has none of its own, and the deepest stack, found by painting the memory
 * below it. Flash is the size that the object file adds to a program.
 */
/* No library is linked here, so none reads an environment. */
#define CHECK_ANY_ENVIRONMENT 1
#include "job.h"
#include "json.h"

#include <gelf.h>
#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>

#include <fcntl.h>
#include <unistd.h>

#define BLOCK_BYTES 64
#define DIGEST_BYTES 32
#define GPIOR0_ADDRESS 0x3e
#define STACK_ADDRESS 0x5d
#define PAGE_OF_DATA 0x800000
/* Far more than the longest message needs. */
#define CYCLES_MAX 100000000

/*
 * A function in one variant, and the limits of its cost: those of the best public code measured in
 * the same simulator, which are also below the designers' (implementation guide, table 2). 0 means
 * that there is nothing to compare with.
 */
typedef struct row {
    const char *name, *source, *algorithm;
    bool keyed;
    unsigned cycles_per_byte_below, ram_below;
} row;

static const row rows[] = {
    {"groestl256_high_speed", "groestl256_high_speed.S", "groestl256", false, 432, 537},
    {"groestl256_balanced", "groestl256_balanced.S", "groestl256", false, 504, 220},
    {"groestl256_low_memory", "groestl256_low_memory.S", "groestl256", false, 538, 156},
    {"groestl256_small", "groestl256_small.S", "groestl256", false, 538, 156},
    {"groestl0_256_high_speed", "groestl256_high_speed.S", "groestl0-256", false, 432, 537},
    {"groestl0_256_balanced", "groestl256_balanced.S", "groestl0-256", false, 504, 220},
    {"groestl0_256_low_memory", "groestl256_low_memory.S", "groestl0-256", false, 538, 156},
    {"groestl0_256_small", "groestl256_small.S", "groestl0-256", false, 538, 156},
    {"blake256", "blake256.S", "blake256", false, 0, 0},
    {"blake2s", "blake2s.S", "blake2s", true, 0, 0},
};

typedef struct vector {
    json_span alg, source, chunks, gen;
    uint64_t len_bits, out_bytes;
    json_hex msg, key, md;
} vector;

/* A vector with any other field needs a feature that these functions lack. */
static const json_field vector_fields[] = {
    {"alg", JSON_STRING, offsetof(vector, alg)},
    {"len_bits", JSON_NUMBER, offsetof(vector, len_bits)},
    {"out_bytes", JSON_NUMBER, offsetof(vector, out_bytes)},
    {"msg", JSON_HEX, offsetof(vector, msg)},
    {"key", JSON_HEX, offsetof(vector, key)},
    {"md", JSON_HEX, offsetof(vector, md)},
    {"chunks", JSON_SPAN, offsetof(vector, chunks)},
    {"source", JSON_STRING, offsetof(vector, source)},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A program in the simulator. */
typedef struct machine {
    const row *row;
    avr_t *avr;
    uint16_t job_at, digest_at, message_at, free_from;
    size_t static_bytes, flash_bytes;
    uint8_t signal; /* the last value that the program wrote to GPIOR0 */
    size_t vectors; /* number of known answers checked */
} machine;

typedef struct cost {
    uint64_t cycles;
    size_t stack_bytes;
} cost;

static _Noreturn void stop(const char *what, const char *name)
{
    fprintf(stderr, "run: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

/* ---- Object files ---- */

typedef struct object_file {
    int file;
    Elf *elf;
} object_file;

static object_file open_object(const char *path)
{
    object_file object = {open(path, O_RDONLY), NULL};
    if (object.file < 0 || elf_version(EV_CURRENT) == EV_NONE) {
        stop("cannot be read; build it with make", path);
    }
    object.elf = elf_begin(object.file, ELF_C_READ, NULL);
    if (object.elf == NULL || elf_kind(object.elf) != ELF_K_ELF) {
        stop("is not an ELF file", path);
    }
    return object;
}

static void close_object(object_file object)
{
    elf_end(object.elf);
    close(object.file);
}

/* Returns the bytes of the sections in memory, either of type NOBITS only or of all other types. */
static size_t section_bytes(Elf *elf, bool in_flash)
{
    size_t bytes = 0;
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        gelf_getshdr(section, &header);
        if ((header.sh_flags & SHF_ALLOC) != 0 && (header.sh_type != SHT_NOBITS) == in_flash) {
            bytes += header.sh_size;
        }
    }
    return bytes;
}

static size_t named_section_bytes(Elf *elf, const char *name)
{
    size_t names;
    Elf_Scn *section = NULL;
    elf_getshdrstrndx(elf, &names);
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        gelf_getshdr(section, &header);
        if (strcmp(elf_strptr(elf, names, header.sh_name), name) == 0) {
            return header.sh_size;
        }
    }
    return 0;
}

static uint16_t data_address(Elf *elf, const char *name)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        gelf_getshdr(section, &header);
        for (int i = 0; header.sh_type == SHT_SYMTAB; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(elf_getdata(section, NULL), i, &symbol) == NULL) {
                break;
            }
            if (strcmp(elf_strptr(elf, header.sh_link, symbol.st_name), name) == 0) {
                return (uint16_t)(symbol.st_value - PAGE_OF_DATA);
            }
        }
    }
    stop("no such symbol in the program", name);
}

/* ---- The simulator ---- */

/* Prints errors only. */
static void log_message(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level <= LOG_ERROR) {
        vfprintf(stderr, format, arguments);
    }
}

static void take_signal(avr_t *avr, avr_io_addr_t address, uint8_t value, void *of)
{
    machine *machine = of;
    avr->data[address] = value;
    machine->signal = value;
}

static void run_to_signal(machine *machine, uint8_t signal)
{
    const avr_cycle_count_t limit = machine->avr->cycle + CYCLES_MAX;
    machine->signal = 0;
    while (machine->signal == 0) {
        const int state = avr_run(machine->avr);
        if (state == cpu_Done || state == cpu_Crashed || machine->avr->cycle > limit) {
            stop("the program crashed or does not end", machine->row->name);
        }
    }
    if (machine->signal != signal) {
        stop("the program stopped at an unexpected address", machine->row->name);
    }
}

static void start_machine(machine *machine, const row *row, const char *folder)
{
    char path[1000];
    elf_firmware_t firmware;
    memset(machine, 0, sizeof *machine);
    memset(&firmware, 0, sizeof firmware);
    machine->row = row;
    snprintf(path, sizeof path, "%s/%s.o", folder, row->name);
    object_file object = open_object(path);
    machine->flash_bytes = section_bytes(object.elf, true);
    close_object(object);

    snprintf(path, sizeof path, "%s/%s.elf", folder, row->name);
    object = open_object(path);
    machine->static_bytes =
        named_section_bytes(object.elf, ".data") + named_section_bytes(object.elf, ".bss");
    machine->job_at = data_address(object.elf, "fin_job");
    machine->digest_at = data_address(object.elf, "fin_digest");
    machine->message_at = data_address(object.elf, "fin_message");
    machine->free_from = data_address(object.elf, "_end");
    close_object(object);

    machine->avr = avr_make_mcu_by_name("atmega1284p");
    if (machine->avr == NULL || elf_read_firmware(path, &firmware) != 0) {
        stop("libsimavr cannot load it", path);
    }
    avr_init(machine->avr);
    avr_load_firmware(machine->avr, &firmware);
    avr_register_io_write(machine->avr, GPIOR0_ADDRESS, take_signal, machine);
    run_to_signal(machine, JOB_WANTED);
}

static bool all_are(const uint8_t *bytes, size_t count, uint8_t value)
{
    size_t i = 0;
    while (i < count && bytes[i] == value) {
        i++;
    }
    return i == count;
}

/*
 * Hashes the content of the program's message buffer, which must not change. Neither may the
 * registers that a function keeps: r2 to r15, which the program is built not to use, r1 = 0 and the
 * stack pointer. The program itself uses r16, r17, r28 and r29.
 */
static cost run_job(machine *machine, const job *job, uint8_t digest[DIGEST_BYTES])
{
    static uint8_t message[JOB_MESSAGE_BYTES];
    uint8_t *data = machine->avr->data;
    const unsigned top = data[STACK_ADDRESS] + 256U * data[STACK_ADDRESS + 1];
    const uint8_t paint = (uint8_t)check_random();
    const avr_cycle_count_t before = machine->avr->cycle;
    unsigned lowest = machine->free_from;
    memcpy(data + machine->job_at, job, sizeof *job);
    memset(data + machine->digest_at, paint, DIGEST_BYTES);
    memset(data + lowest, paint, top + 1 - lowest);
    memcpy(message, data + machine->message_at, sizeof message);
    memset(data + 2, paint, 14);
    run_to_signal(machine, JOB_DONE);
    CHECK(data[1] == 0 && all_are(data + 2, 14, paint));
    CHECK(data[STACK_ADDRESS] + 256U * data[STACK_ADDRESS + 1] == top);
    const avr_cycle_count_t cycles = machine->avr->cycle - before;
    memcpy(digest, data + machine->digest_at, DIGEST_BYTES);
    CHECK(memcmp(message, data + machine->message_at, sizeof message) == 0);
    CHECK(job->digest_bytes >= DIGEST_BYTES ||
          all_are(digest + job->digest_bytes, (size_t)DIGEST_BYTES - job->digest_bytes, paint));
    run_to_signal(machine, JOB_WANTED);
    while (lowest <= top && data[lowest] == paint) {
        lowest++;
    }
    return (cost){cycles, top + 1 - lowest};
}

/* Returns the job for `bits` bits in the program's buffer, including the key's block. */
static job job_of(const row *row, size_t bits)
{
    const size_t bytes = bits / 8;
    job job = {.digest_bytes = DIGEST_BYTES, .bytes = (uint16_t)bytes};
    if (row->keyed) {
        /* final must get the last block, which may be a whole one. */
        job.blocks = (uint16_t)(bytes == 0 ? 0 : (bytes - 1) / BLOCK_BYTES);
        job.rest = (uint16_t)(bytes - job.blocks * BLOCK_BYTES);
    } else {
        job.blocks = (uint16_t)(bytes / BLOCK_BYTES);
        job.rest = (uint16_t)(bits - 8U * job.blocks * BLOCK_BYTES);
    }
    job.rest_from = (uint16_t)(job.blocks * BLOCK_BYTES);
    return job;
}

/* ---- Known answers ---- */

static bool fits(const machine *machine, const vector *v)
{
    const size_t bytes = v->msg.count + (v->key.count == 0 ? 0 : BLOCK_BYTES);
    return json_equals(v->alg, machine->row->algorithm) && bytes <= JOB_MESSAGE_BYTES &&
           v->md.count > 0 && v->md.count <= DIGEST_BYTES;
}

/* Hashes in steps; some messages also with interrupts, or in one call if possible. */
static void check_vector(machine *machine, const vector *v)
{
    uint8_t *message = machine->avr->data + machine->message_at;
    uint8_t digest[DIGEST_BYTES];
    const size_t number = machine->vectors++;
    size_t bits = (size_t)v->len_bits;
    if (v->key.count > 0) {
        memset(message, 0, BLOCK_BYTES);
        memcpy(message, v->key.bytes, v->key.count);
        message += BLOCK_BYTES;
        bits += 8 * BLOCK_BYTES;
    }
    if (v->msg.count > 0) {
        memcpy(message, v->msg.bytes, v->msg.count);
    }
    job job = job_of(machine->row, bits);
    job.digest_bytes = (uint8_t)v->md.count;
    job.key_bytes = (uint8_t)v->key.count;
    const cost plain = run_job(machine, &job, digest);
    CHECK_BYTES(v->md.bytes, digest, v->md.count);
    if (number % 8 == 0) {
        job.way = JOB_INTERRUPTED;
        CHECK(run_job(machine, &job, digest).cycles > plain.cycles);
        CHECK_BYTES(v->md.bytes, digest, v->md.count);
    }
    if (number % 8 == 1 && bits % 8 == 0 && v->key.count == 0 && v->md.count == DIGEST_BYTES) {
        job.way = JOB_AT_ONCE;
        run_job(machine, &job, digest);
        CHECK_BYTES(v->md.bytes, digest, v->md.count);
    }
}

static machine under_test;

static void check_line(const char *file, int number, const char *line, size_t length)
{
    vector v = {0};
    unsigned seen;
    uint8_t *memory = check_allocate(length);
    uint8_t *arena = memory;
    const json_span object = {line, length, '{'};
    const char *wrong =
        json_read(object, vector_fields, COUNT_OF(vector_fields), &arena, &v, &seen);
    check_context("%s: %s:%d", under_test.row->name, file, number);
    if (wrong == NULL && fits(&under_test, &v)) {
        check_vector(&under_test, &v);
    }
    CHECK(wrong == NULL || wrong == json_unknown_field);
    free(memory);
}

/* ---- Cost ---- */

/* Measures the same length with two messages: neither time nor stack may depend on their bytes. */
static cost measure(machine *machine, size_t blocks)
{
    uint8_t digest[DIGEST_BYTES];
    uint8_t *message = machine->avr->data + machine->message_at;
    const job job = job_of(machine->row, 8 * blocks * BLOCK_BYTES);
    cost costs[3];
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < JOB_MESSAGE_BYTES; i++) {
            message[i] = k == 0 ? 0 : (uint8_t)check_random();
        }
        costs[k] = run_job(machine, &job, digest);
        CHECK(costs[k].cycles == costs[0].cycles);
        if (costs[k].stack_bytes > costs[0].stack_bytes) {
            costs[0].stack_bytes = costs[k].stack_bytes; /* a stack byte may equal the paint */
        }
    }
    return costs[0];
}

/* Checks that lengths beyond the limits are treated as the header documents. */
static void check_too_long(machine *machine)
{
    uint8_t expected[DIGEST_BYTES], digest[DIGEST_BYTES];
    job job = job_of(machine->row, machine->row->keyed ? 8 * BLOCK_BYTES : 8 * BLOCK_BYTES - 3);
    run_job(machine, &job, expected);
    job.rest = machine->row->keyed ? BLOCK_BYTES + 1 : job.rest | 0xfe00;
    run_job(machine, &job, digest);
    CHECK_BYTES(expected, digest, DIGEST_BYTES);
    if (machine->row->keyed) {
        job.key_bytes = 32;
        run_job(machine, &job, expected);
        job.digest_bytes = job.key_bytes = 255;
        run_job(machine, &job, digest);
        CHECK_BYTES(expected, digest, DIGEST_BYTES);
    }
}

static bool text_has(const char *folder, const char *name, const char *line)
{
    static char text[100000];
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        stop("cannot be opened", path);
    }
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return strstr(text, line) != NULL;
}

/* Checks the table in README.md, and the line at the top of the source. */
static void check_quoted(const machine *machine, const char *folder, double cycles_per_byte,
                         cost cost)
{
    const row *row = machine->row;
    const size_t fixed = machine->static_bytes;
    const size_t stack = cost.stack_bytes;
    char line[200];
    snprintf(line, sizeof line, "| %s | %.2f | %zu + %zu = %zu | %zu |\n", row->name,
             cycles_per_byte, fixed, stack, fixed + stack, machine->flash_bytes);
    printf("%.*s %llu cycles for no bytes, %zu known answers\n", (int)strlen(line) - 1, line,
           (unsigned long long)cost.cycles, machine->vectors);
    CHECK(text_has(folder, "README.md", line));
    snprintf(line, sizeof line, "; %-24s cycles/byte %.2f, RAM %zu + %zu = %zu, flash %zu\n",
             row->algorithm, cycles_per_byte, fixed, stack, fixed + stack, machine->flash_bytes);
    if (!CHECK(text_has(folder, row->source, line))) {
        printf("    %s lacks the line\n    %s", row->source, line);
    }
}

static void check_costs(machine *machine, const char *folder)
{
    const row *row = machine->row;
    const cost shorter = measure(machine, 8);
    const cost longer = measure(machine, 72);
    const cost empty = measure(machine, 0);
    const double cycles_per_byte = (double)(longer.cycles - shorter.cycles) / (64 * BLOCK_BYTES);
    const size_t stack =
        longer.stack_bytes > empty.stack_bytes ? longer.stack_bytes : empty.stack_bytes;
    check_context("%s: costs: cycles per byte must be below %u and RAM below %u bytes", row->name,
                  row->cycles_per_byte_below, row->ram_below);
    CHECK(row->cycles_per_byte_below == 0 || cycles_per_byte < row->cycles_per_byte_below);
    CHECK(row->ram_below == 0 || machine->static_bytes + stack < row->ram_below);
    check_quoted(machine, folder, cycles_per_byte, (cost){empty.cycles, stack});
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        stop("name the folders of programs and sources, and the files with vectors", "usage");
    }
    avr_global_logger_set(log_message);
    printf("function and variant, cycles per byte, RAM, flash\n");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        start_machine(&under_test, &rows[i], argv[1]);
        for (int k = 3; k < argc; k++) {
            json_each_line(argv[k], check_line);
        }
        check_context("%s", rows[i].name);
        CHECK(under_test.vectors > 1000);
        check_too_long(&under_test);
        check_costs(&under_test, argv[2]);
        avr_terminate(under_test.avr);
    }
    return check_report();
}
