/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages at once: a scheduler that keeps the lanes of an implementation full.
 *
 * A lane runs through the blocks of its message: the whole ones where they lie, then the ends that
 * the family pads. Each step compresses as many blocks as every lane has left in its run. Where a
 * run is over, the message's next one follows; where a message is over, the next message does. Once
 * no message waits and most lanes are empty, a narrower implementation takes over, and in the end
 * the one for a single message. Nothing is allocated.
 *
 * A byte may stand before every message (Merkle trees). Then only a message's first block is copied
 * together with it; the blocks after it are read where they lie, one byte earlier.
 */
#include "internal.h"

/* ---- The messages ---- */

typedef struct fin_batch {
    const fin_descriptor *descriptor;
    fin_compression compression;
    uint32_t block_bytes;
    uint32_t increment;
    /* One of three sources: separate messages, nodes, or inputs of one length side by side. */
    const fin_message *messages;
    const fin_node *nodes;
    const uint8_t *side_by_side;
    size_t message_bytes;
    size_t count;
    size_t next; /* so many messages have been taken up */
    uint8_t *digests;
    size_t stride;
    size_t digest_bytes;
    bool keyed;
    bool last_node;
    bool prefixed; /* prefix stands before every message */
    uint8_t prefix;
    fin_state fresh;   /* before the first block */
    fin_state started; /* after the key's block, if there is one */
    uint8_t key_block[128];
} fin_batch;

/* A message on its way: what follows its whole blocks. The ends are padded when it is their turn,
   since by then the cache has the tail. */
typedef struct fin_task {
    size_t index;
    fin_tail tail;
    size_t next_end;
    bool padded;
    bool last_node;
    fin_ends ends;
    size_t blocks_after_staged; /* whole blocks at in_after_staged, once the staged one is done */
    const uint8_t *in_after_staged;
    uint8_t *staged; /* room for the prefix and what fits into a block after it */
} fin_task;

/* Messages that come so much later are asked for from memory. */
enum { FIN_LOOKAHEAD = 8 };

/* The offset stands in words of the parameter block of their own. */
static void fin_set_node_offset(fin_state *state, fin_compression compression, uint64_t offset)
{
    if (compression == FIN_COMPRESSION_BLAKE2B) {
        state->h.w64[FIN_NODE_OFFSET / 8] ^= offset;
    } else {
        state->h.w32[FIN_NODE_OFFSET / 4] ^= (uint32_t)offset;
        state->h.w32[FIN_NODE_OFFSET / 4 + 1] ^= (uint32_t)(offset >> 32);
    }
}

static void fin_compress_key(const fin_batch *batch, fin_state *state)
{
    fin_compress(state, batch->compression, batch->key_block, 1, batch->block_bytes,
                 batch->increment);
}

static fin_tail fin_message_at(const fin_batch *batch, size_t index)
{
    if (batch->messages != NULL) {
        return (fin_tail){batch->messages[index].in, batch->messages[index].bytes, 0, 0};
    }
    if (batch->nodes != NULL) {
        return (fin_tail){batch->nodes[index].in, batch->nodes[index].bytes, 0, 0};
    }
    const size_t bytes = batch->message_bytes;
    return (fin_tail){bytes != 0 ? batch->side_by_side + index * bytes : NULL, bytes, 0, 0};
}

/* The message's bytes up to bytes with the prefix before them, which is one of them. */
static const uint8_t *fin_stage(const fin_batch *batch, fin_task *task, const uint8_t *in,
                                size_t bytes)
{
    task->staged[0] = batch->prefix;
    if (bytes > 1) {
        memcpy(task->staged + 1, in, bytes - 1);
    }
    return task->staged;
}

/*
 * Puts the prefix before the message that is the task's tail so far. Of its whole blocks the first
 * one is staged and the first run; where there is none, the tail is staged. Kept out of the way of
 * messages without a prefix.
 *
 *   staged    p d d d | in ->  d d d d | d d d d | d d     tail
 *             block 0          block 1   block 2
 */
FIN_NOINLINE static void fin_prefix(const fin_batch *batch, fin_task *task, fin_end *run)
{
    const size_t block_bytes = batch->block_bytes;
    const uint8_t *in = task->tail.in;
    const size_t blocks = task->tail.bytes / block_bytes; /* with one byte more, but the last */
    task->blocks_after_staged = 0;
    task->tail.bytes = task->tail.bytes - blocks * block_bytes + 1;
    if (blocks == 0) {
        task->tail.in = fin_stage(batch, task, in, task->tail.bytes);
        return;
    }
    run->in = fin_stage(batch, task, in, block_bytes);
    run->blocks = 1;
    task->blocks_after_staged = blocks - 1;
    task->in_after_staged = in + (block_bytes - 1);
    task->tail.in = in + (blocks * block_bytes - 1);
}

/*
 * Takes up message index: its chain and its whole blocks before the ends. The key's block is the
 * end of an empty message, else it is already in the chain.
 */
static void fin_begin(const fin_batch *batch, size_t index, fin_task *task, fin_state *state,
                      fin_end *run)
{
    const size_t block_bytes = batch->block_bytes;
    fin_tail tail = fin_message_at(batch, index);
    const bool key_ends = batch->keyed && tail.bytes == 0 && !batch->prefixed;
    *state = key_ends || batch->nodes != NULL ? batch->fresh : batch->started;
    task->last_node = batch->last_node;
    if (batch->nodes != NULL) {
        task->last_node = batch->nodes[index].last_node;
        fin_set_node_offset(state, batch->compression, batch->nodes[index].node_offset);
        if (batch->keyed && !key_ends) {
            fin_compress_key(batch, state);
        }
    }
    if (key_ends) {
        tail.in = batch->key_block;
        tail.bytes = block_bytes;
    }
    *run = (fin_end){tail.in, 0, {state->t[0], state->t[1]}, batch->increment};
    if (tail.bytes > block_bytes && !batch->prefixed) {
        run->blocks = (tail.bytes - 1) / block_bytes;
        tail.in += run->blocks * block_bytes;
        tail.bytes -= run->blocks * block_bytes;
    }
    task->index = index;
    task->tail = tail;
    task->next_end = 0;
    task->padded = false;
    if (batch->prefixed) {
        fin_prefix(batch, task, run);
    }
}

/* Are there whole blocks after a staged one that still wait? */
static bool fin_stage_goes_on(const fin_batch *batch, const fin_task *task)
{
    return batch->prefixed && task->blocks_after_staged != 0;
}

/* These blocks, with the counter that is in the state; they then no longer wait. */
static fin_end fin_blocks_after_staged(const fin_batch *batch, fin_task *task,
                                       const fin_state *state)
{
    const fin_end run = {task->in_after_staged,
                         task->blocks_after_staged,
                         {state->t[0], state->t[1]},
                         batch->increment};
    task->blocks_after_staged = 0;
    return run;
}

/* The ends, once state->t counts all whole blocks. */
static void fin_pad_task(const fin_batch *batch, fin_task *task, const fin_state *state)
{
    fin_ops_of(batch->descriptor)
        ->pad(state, batch->descriptor, batch->compression, &task->tail, &task->ends);
    task->padded = true;
}

/* Is the message in the last of its runs? */
static bool fin_in_last_run(const fin_task *task)
{
    return task->padded && task->next_end == task->ends.count;
}

static void fin_write_digest(const fin_batch *batch, size_t index, const fin_state *state)
{
    fin_ops_of(batch->descriptor)
        ->output(state, batch->compression, batch->digests + index * batch->stride,
                 batch->digest_bytes);
}

/* The rest of a message by itself: the run that it is in, then the ends that are left. */
static void fin_go_on_alone(const fin_batch *batch, fin_task *task, fin_state *state,
                            const fin_end *run)
{
    const uint64_t last_node = task->last_node ? UINT64_MAX : 0;
    const bool last = fin_in_last_run(task);
    state->f[0] = last ? task->ends.flag : 0;
    state->f[1] = last ? last_node : 0;
    (last ? fin_compress_end : fin_compress)(state, batch->compression, run->in, run->blocks,
                                             batch->block_bytes, run->increment);
    if (fin_stage_goes_on(batch, task)) {
        const fin_end after = fin_blocks_after_staged(batch, task, state);
        fin_compress(state, batch->compression, after.in, after.blocks, batch->block_bytes,
                     after.increment);
    }
    if (!last) {
        if (!task->padded) {
            fin_pad_task(batch, task, state);
        }
        fin_ends *ends = &task->ends;
        ends->end[0] = ends->end[task->next_end];
        ends->end[1] = ends->end[ends->count - 1];
        ends->count -= task->next_end;
        state->f[1] = last_node;
        fin_compress_ends(state, batch->compression, ends);
    }
    fin_write_digest(batch, task->index, state);
}

static void fin_run_alone(fin_batch *batch)
{
    fin_task task;
    fin_state state;
    fin_end run;
    uint8_t staged[128];
    task.staged = staged;
    for (; batch->next < batch->count; batch->next++) {
        if (batch->next + FIN_LOOKAHEAD < batch->count) {
            fin_prefetch(fin_message_at(batch, batch->next + FIN_LOOKAHEAD).in);
        }
        fin_begin(batch, batch->next, &task, &state, &run);
        fin_go_on_alone(batch, &task, &state, &run);
    }
    fin_erase(&task, sizeof task);
    fin_erase(&state, sizeof state);
    if (batch->prefixed) {
        fin_erase(staged, sizeof staged);
    }
}

/* ---- The lanes ---- */

#define FIN_IDLE UINT64_MAX

/*
 * The coming messages, longest first: lanes that take up messages of about one length end together,
 * and all are interrupted less often. 10,000 messages of 0 to 4096 bytes take 1.6 instead of 2.2
 * core cycles a byte (BLAKE-256, AMD family 19h, gcc 12, AVX-512).
 */
enum { FIN_WINDOW = 256 };
typedef struct fin_window {
    size_t first; /* message first + order[i] is the window's i-th */
    size_t count;
    size_t taken;
    uint8_t order[FIN_WINDOW];
} fin_window;

/* Grøstl's messages that have ended, before their output transformation. */
typedef struct fin_queue {
    const fin_impl *impl;
    size_t count;
    size_t index[FIN_LANES_MAX];
    fin_lanes lanes; /* their chaining values */
} fin_queue;

typedef struct fin_crew {
    const fin_impl *impl;
    size_t h_words;
    bool wide;
    size_t busy;                   /* lanes with a message */
    uint64_t steps;                /* blocks that every lane has compressed */
    uint64_t due[FIN_LANES_MAX];   /* when the lane's run is over; FIN_IDLE: no message */
    fin_task *task[FIN_LANES_MAX]; /* the lane's message */
    fin_window window;
    fin_lanes lanes;
    fin_queue queue;
    fin_task tasks[FIN_LANES_MAX];
    uint8_t staged[FIN_LANES_MAX][128];
} fin_crew;

static bool fin_crew_is_groestl(const fin_crew *crew)
{
    return crew->impl->finish_lanes != crew->impl->compress_lanes;
}

static void fin_set_word(fin_crew *crew, size_t lane, size_t row, uint64_t word)
{
    fin_lane_set(&crew->lanes, crew->wide, row * crew->impl->lanes + lane, word);
}

static void fin_set_flags(fin_crew *crew, size_t lane, const fin_task *task)
{
    const bool last = fin_in_last_run(task);
    fin_set_word(crew, lane, FIN_LANE_F, last ? task->ends.flag : 0);
    fin_set_word(crew, lane, FIN_LANE_F + 1, last && task->last_node ? UINT64_MAX : 0);
}

/* Grøstl's chaining values, each in one piece. */
static uint64_t *fin_groestl_h(fin_crew *crew, size_t lane)
{
    return crew->lanes.row.w64 + lane * crew->h_words;
}

static void fin_put_h(fin_crew *crew, size_t lane, const fin_state *state)
{
    const size_t lanes = crew->impl->lanes;
    if (fin_crew_is_groestl(crew)) {
        memcpy(fin_groestl_h(crew, lane), state->h.w64, 8 * crew->h_words);
        return;
    }
    for (size_t i = 0; i < crew->h_words; i++) {
        if (crew->wide) {
            crew->lanes.row.w64[(FIN_LANE_H + i) * lanes + lane] = state->h.w64[i];
        } else {
            crew->lanes.row.w32[(FIN_LANE_H + i) * lanes + lane] = state->h.w32[i];
        }
    }
}

static void fin_take_h(fin_crew *crew, size_t lane, fin_state *state)
{
    const size_t lanes = crew->impl->lanes;
    if (fin_crew_is_groestl(crew)) {
        memcpy(state->h.w64, fin_groestl_h(crew, lane), 8 * crew->h_words);
        return;
    }
    for (size_t i = 0; i < crew->h_words; i++) {
        if (crew->wide) {
            state->h.w64[i] = crew->lanes.row.w64[(FIN_LANE_H + i) * lanes + lane];
        } else {
            state->h.w32[i] = crew->lanes.row.w32[(FIN_LANE_H + i) * lanes + lane];
        }
    }
}

/* The lane's counter, as state->t has it. */
static void fin_take_t(const fin_crew *crew, size_t lane, fin_state *state)
{
    const size_t low = FIN_LANE_T * crew->impl->lanes + lane;
    const size_t high = low + crew->impl->lanes;
    if (crew->wide) {
        state->t[0] = crew->lanes.row.w64[low];
        state->t[1] = crew->lanes.row.w64[high];
    } else {
        state->t[0] = crew->lanes.row.w32[low] | (uint64_t)crew->lanes.row.w32[high] << 32;
        state->t[1] = 0;
    }
}

/* Flags as the task says, which is in the run already. */
static void fin_set_run(const fin_batch *batch, fin_crew *crew, size_t lane, const fin_end *run)
{
    crew->lanes.in[lane] = run->in;
    crew->due[lane] = crew->steps + run->blocks;
    fin_lane_set_phase(&crew->lanes, batch->compression, crew->impl->lanes, lane, run->t,
                       run->increment);
    fin_set_flags(crew, lane, crew->task[lane]);
}

FIN_NOINLINE static void fin_leave_stage(const fin_batch *batch, fin_crew *crew, size_t lane)
{
    fin_state counter;
    fin_take_t(crew, lane, &counter);
    const fin_end after = fin_blocks_after_staged(batch, crew->task[lane], &counter);
    fin_set_run(batch, crew, lane, &after);
}

/* The message's next run, an end as a rule; false if it had all. */
static bool fin_next_run(const fin_batch *batch, fin_crew *crew, size_t lane)
{
    fin_task *task = crew->task[lane];
    if (fin_in_last_run(task)) {
        return false;
    }
    if (fin_stage_goes_on(batch, task)) {
        fin_leave_stage(batch, crew, lane);
        return true;
    }
    if (!task->padded) {
        fin_state counter;
        fin_take_t(crew, lane, &counter);
        fin_pad_task(batch, task, &counter);
    }
    const fin_end *run = &task->ends.end[task->next_end++];
    fin_set_run(batch, crew, lane, run);
    return true;
}

/* Counts by length in lines of 64 bytes, or in more where that gives too many lengths. */
static void fin_sort_window(const fin_batch *batch, fin_window *window)
{
    enum { LENGTHS = 256 };
    uint16_t at[LENGTHS + 1]; /* how many messages are longer */
    size_t longest = 0;
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_message_at(batch, window->first + i).bytes;
        longest = bytes > longest ? bytes : longest;
    }
    unsigned shift = 6;
    while (longest >> shift >= LENGTHS) {
        shift++;
    }
    const size_t greatest = longest >> shift;
    memset(at, 0, (greatest + 2) * sizeof at[0]);
    for (size_t i = 0; i < window->count; i++) {
        at[greatest - (fin_message_at(batch, window->first + i).bytes >> shift) + 1]++;
    }
    for (size_t length = 0; length < greatest; length++) {
        at[length + 1] = (uint16_t)(at[length + 1] + at[length]);
    }
    for (size_t i = 0; i < window->count; i++) {
        const size_t bytes = fin_message_at(batch, window->first + i).bytes;
        window->order[at[greatest - (bytes >> shift)]++] = (uint8_t)i;
    }
}

/* The message that is next; there is one. Those that all have a lane at once need no order. */
static size_t fin_draw(fin_batch *batch, fin_crew *crew)
{
    fin_window *window = &crew->window;
    if (window->taken == window->count) {
        const size_t left = batch->count - batch->next;
        *window =
            (fin_window){.first = batch->next, .count = left < FIN_WINDOW ? left : FIN_WINDOW};
        if (window->count > crew->impl->lanes) {
            fin_sort_window(batch, window);
        } else {
            for (size_t i = 0; i < window->count; i++) {
                window->order[i] = (uint8_t)i;
            }
        }
    }
    if (window->taken + FIN_LOOKAHEAD < window->count) {
        const size_t later = window->order[window->taken + FIN_LOOKAHEAD];
        fin_prefetch(fin_message_at(batch, window->first + later).in);
    }
    batch->next++;
    return window->first + window->order[window->taken++];
}

/* Gives a free lane the next message, if there is one. */
static void fin_next_message(fin_batch *batch, fin_crew *crew, size_t lane)
{
    crew->due[lane] = FIN_IDLE;
    if (batch->next == batch->count) {
        crew->busy--;
        return;
    }
    fin_state state;
    fin_end run;
    fin_begin(batch, fin_draw(batch, crew), crew->task[lane], &state, &run);
    fin_put_h(crew, lane, &state);
    fin_set_run(batch, crew, lane, &run);
    if (run.blocks == 0) {
        fin_next_run(batch, crew, lane);
    }
}

/* Grøstl's digest is the end of the chaining value. */
static void fin_write_groestl(const fin_batch *batch, size_t index, const uint64_t *h, size_t words)
{
    const size_t bytes = batch->digest_bytes;
    uint8_t *digest = batch->digests + index * batch->stride;
    if (bytes % 8 != 0) {
        fin_state state;
        memcpy(state.h.w64, h, 8 * words);
        fin_write_digest(batch, index, &state);
        return;
    }
    for (size_t i = 0; i < bytes; i += 8) {
        fin_store64_le(digest + i, h[words - (bytes - i) / 8]);
    }
}

/* A digest straight out of the rows where it is whole words. */
static void fin_write_lane(const fin_batch *batch, fin_crew *crew, size_t lane)
{
    const fin_task *task = crew->task[lane];
    const size_t lanes = crew->impl->lanes;
    const bool big_endian = batch->descriptor->info.family == FIN_FAMILY_BLAKE;
    uint8_t *digest = batch->digests + task->index * batch->stride;
    if (fin_crew_is_groestl(crew)) {
        fin_write_groestl(batch, task->index, fin_groestl_h(crew, lane), crew->h_words);
    } else if (batch->digest_bytes % 8 != 0) {
        fin_state state;
        fin_take_h(crew, lane, &state);
        fin_write_digest(batch, task->index, &state);
    } else if (crew->wide) {
        const uint64_t *h = crew->lanes.row.w64 + FIN_LANE_H * lanes + lane;
        for (size_t i = 0; i < batch->digest_bytes; i += 8, h += lanes) {
            if (big_endian) {
                fin_store64_be(digest + i, *h);
            } else {
                fin_store64_le(digest + i, *h);
            }
        }
    } else {
        const uint32_t *h = crew->lanes.row.w32 + FIN_LANE_H * lanes + lane;
        for (size_t i = 0; i < batch->digest_bytes; i += 8, h += 2 * lanes) {
            if (big_endian) {
                fin_store64_be(digest + i, (uint64_t)h[0] << 32 | h[lanes]);
            } else {
                fin_store64_le(digest + i, h[0] | (uint64_t)h[lanes] << 32);
            }
        }
    }
}

static void fin_finish_queue(const fin_batch *batch, fin_crew *crew)
{
    fin_queue *queue = &crew->queue;
    if (queue->count != 0) {
        queue->impl->finish_lanes(&queue->lanes, 0, 0);
    }
    for (size_t i = 0; i < queue->count; i++) {
        fin_write_groestl(batch, queue->index[i], queue->lanes.row.w64 + i * crew->h_words,
                          crew->h_words);
    }
    queue->count = 0;
}

/* The lane's message is over: its digest, or a place among those that wait for theirs. */
static void fin_end_message(const fin_batch *batch, fin_crew *crew, size_t lane)
{
    fin_queue *queue = &crew->queue;
    if (!fin_crew_is_groestl(crew)) {
        fin_write_lane(batch, crew, lane);
        return;
    }
    queue->index[queue->count] = crew->task[lane]->index;
    memcpy(queue->lanes.row.w64 + queue->count * crew->h_words, fin_groestl_h(crew, lane),
           8 * crew->h_words);
    if (++queue->count == queue->impl->lanes) {
        fin_finish_queue(batch, crew);
    }
}

/* Lanes whose run is over go on to the next one. How many blocks every lane then has to go. */
static uint64_t fin_turn(fin_batch *batch, fin_crew *crew)
{
    uint64_t next = FIN_IDLE;
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        if (crew->due[lane] == crew->steps && !fin_next_run(batch, crew, lane)) {
            fin_end_message(batch, crew, lane);
            fin_next_message(batch, crew, lane);
        }
        next = crew->due[lane] < next ? crew->due[lane] : next;
    }
    return next - crew->steps;
}

/* Lanes without a message compress some other lane's blocks. */
static void fin_fill_idle(fin_crew *crew)
{
    const uint8_t *some = NULL;
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        if (crew->due[lane] != FIN_IDLE) {
            some = crew->lanes.in[lane];
        }
    }
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        if (crew->due[lane] == FIN_IDLE) {
            crew->lanes.in[lane] = some;
        }
    }
}

/* What a lane holds, to go on elsewhere. */
static void fin_leave(const fin_batch *batch, fin_crew *crew, size_t lane, fin_state *state,
                      fin_end *run)
{
    const size_t at = FIN_LANE_INCREMENT * crew->impl->lanes + lane;
    *state = batch->fresh;
    fin_take_h(crew, lane, state);
    fin_take_t(crew, lane, state);
    *run = (fin_end){crew->lanes.in[lane],
                     (size_t)(crew->due[lane] - crew->steps),
                     {state->t[0], state->t[1]},
                     0};
    run->increment = crew->wide ? (uint32_t)crew->lanes.row.w64[at] : crew->lanes.row.w32[at];
}

/* The messages on their way go on in the lanes of another implementation. */
static void fin_move(const fin_batch *batch, fin_crew *crew, const fin_impl *impl)
{
    fin_state state[FIN_LANES_MAX];
    fin_end run[FIN_LANES_MAX];
    size_t moved = 0;
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        if (crew->due[lane] != FIN_IDLE) {
            fin_leave(batch, crew, lane, &state[moved], &run[moved]);
            fin_task *task = crew->task[moved];
            crew->task[moved++] = crew->task[lane];
            crew->task[lane] = task;
        }
    }
    crew->impl = impl;
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        crew->due[lane] = FIN_IDLE;
        if (lane < moved) {
            fin_put_h(crew, lane, &state[lane]);
            fin_set_run(batch, crew, lane, &run[lane]);
        }
    }
    fin_erase(state, sizeof state);
}

/* Each of the last messages goes on by itself. */
static void fin_dismiss(const fin_batch *batch, fin_crew *crew)
{
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        if (crew->due[lane] != FIN_IDLE) {
            fin_state state;
            fin_end run;
            fin_leave(batch, crew, lane, &state, &run);
            fin_go_on_alone(batch, crew->task[lane], &state, &run);
            fin_erase(&state, sizeof state);
        }
    }
}

static void fin_assemble(const fin_batch *batch, fin_crew *crew, const fin_impl *impl)
{
    crew->impl = crew->queue.impl = impl;
    crew->queue.count = 0;
    crew->wide = fin_words_are_wide(batch->compression);
    crew->h_words =
        batch->descriptor->info.family == FIN_FAMILY_GROESTL ? batch->block_bytes / 8 : 8;
    memcpy(&crew->lanes.salt, &batch->fresh.salt, sizeof crew->lanes.salt);
    crew->lanes.rounds = batch->fresh.rounds;
    crew->steps = 0;
    crew->window.count = crew->window.taken = 0;
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        crew->task[lane] = &crew->tasks[lane];
        crew->tasks[lane].staged = crew->staged[lane];
    }
}

static void fin_disband(const fin_batch *batch, fin_crew *crew, size_t lanes)
{
    fin_erase(&crew->lanes, sizeof crew->lanes);
    if (fin_crew_is_groestl(crew)) {
        fin_erase(&crew->queue.lanes.row, sizeof crew->queue.lanes.row);
    }
    fin_erase(crew->tasks, lanes * sizeof crew->tasks[0]);
    if (batch->prefixed) {
        fin_erase(crew->staged, lanes * sizeof crew->staged[0]);
    }
}

/* ---- Messages in step ---- */

/* All lanes alike: the rows from FIN_LANE_T on for the blocks of a run. */
static void fin_set_phase(const fin_batch *batch, fin_crew *crew, const fin_end *run, uint64_t flag)
{
    const size_t lanes = crew->impl->lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
        fin_lane_set_phase(&crew->lanes, batch->compression, lanes, lane, run->t, run->increment);
        fin_set_word(crew, lane, FIN_LANE_F, flag);
    }
}

typedef struct fin_formation {
    fin_state state; /* of every message before its first block */
    fin_end run;     /* the first message's whole blocks */
    fin_lane_rows rows[3];
    size_t tail_at;
    size_t tail_bytes;
    const fin_ends *ends;
    bool in_place; /* the first end is the message's own block */
} fin_formation;

/* What messages of one length have in common: their phases, and padded blocks but for the tail. */
static void fin_form(const fin_batch *batch, fin_crew *crew, fin_formation *form)
{
    fin_task *first = &crew->tasks[0];
    fin_begin(batch, batch->next, first, &form->state, &form->run);
    if (batch->prefixed) {
        form->run.blocks += first->blocks_after_staged;
    }
    fin_state counter = form->state;
    fin_state_advance(&counter, form->run.blocks, batch->increment);
    fin_pad_task(batch, first, &counter);
    form->ends = &first->ends;
    form->tail_at = form->run.blocks * batch->block_bytes;
    if (batch->prefixed && form->tail_at != 0) {
        form->tail_at--;
    }
    form->tail_bytes = first->tail.bytes;
    form->in_place = form->tail_bytes != 0 && first->ends.end[0].in == first->tail.in;
    for (size_t lane = 0; lane < crew->impl->lanes; lane++) {
        fin_put_h(crew, lane, &form->state);
        if (lane != 0) {
            memcpy(crew->task[lane]->ends.padded, first->ends.padded, first->ends.padded_bytes);
        }
    }
    fin_set_phase(batch, crew, &form->run, 0);
    form->rows[0] = crew->lanes.row;
    for (size_t i = 0; i < first->ends.count; i++) {
        const bool last = i + 1 == first->ends.count;
        fin_set_phase(batch, crew, &first->ends.end[i], last ? first->ends.flag : 0);
        form->rows[1 + i] = crew->lanes.row;
    }
}

static void fin_enter_phase(fin_crew *crew, const fin_formation *form, size_t phase)
{
    const size_t word_bytes = crew->wide ? 8 : 4;
    const size_t from = phase == 0 ? 0 : FIN_LANE_T * crew->impl->lanes * word_bytes;
    const size_t to = FIN_LANE_ROWS * crew->impl->lanes * word_bytes;
    memcpy((uint8_t *)&crew->lanes.row + from, (const uint8_t *)&form->rows[phase] + from,
           to - from);
}

/* The whole blocks of one message in each lane. */
static void fin_march_whole_blocks(const fin_batch *batch, fin_crew *crew,
                                   const fin_formation *form, const uint8_t *in)
{
    const size_t lanes = crew->impl->lanes;
    size_t blocks = form->run.blocks;
    if (batch->prefixed && blocks != 0) {
        for (size_t lane = 0; lane < lanes; lane++) {
            crew->lanes.in[lane] = fin_stage(batch, crew->task[lane],
                                             in + lane * batch->message_bytes, batch->block_bytes);
        }
        crew->impl->compress_lanes(&crew->lanes, 1, batch->block_bytes);
        blocks--;
        in += batch->block_bytes - 1;
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        crew->lanes.in[lane] = in + lane * batch->message_bytes;
    }
    crew->impl->compress_lanes(&crew->lanes, blocks, batch->block_bytes);
}

/* The last blocks of every lane's message. */
static void fin_compress_last(fin_crew *crew, size_t blocks, size_t stride)
{
    crew->impl->finish_lanes(&crew->lanes, blocks, stride);
}

/* The next count messages have ended, in as many lanes. */
static void fin_write_lanes(fin_batch *batch, fin_crew *crew, size_t count)
{
    for (size_t lane = 0; lane < count; lane++) {
        crew->task[lane]->index = batch->next++;
        fin_write_lane(batch, crew, lane);
    }
}

/* One message in each lane, from its first block to its digest. */
static void fin_march(fin_batch *batch, fin_crew *crew, const fin_formation *form)
{
    const size_t lanes = crew->impl->lanes;
    const uint8_t *in = batch->side_by_side + batch->next * batch->message_bytes;
    fin_enter_phase(crew, form, 0);
    fin_march_whole_blocks(batch, crew, form, in);
    in += form->tail_at;
    for (size_t i = 0; i < form->ends->count; i++) {
        fin_enter_phase(crew, form, 1 + i);
        for (size_t lane = 0; lane < lanes; lane++) {
            uint8_t *padded = crew->task[lane]->ends.padded;
            const uint8_t *tail = in + lane * batch->message_bytes;
            if (i == 0 && batch->prefixed && form->run.blocks == 0) {
                tail = fin_stage(batch, crew->task[lane], tail, form->tail_bytes);
            }
            crew->lanes.in[lane] = form->ends->end[i].in;
            if (i == 0 && form->in_place) {
                crew->lanes.in[lane] = tail;
            } else if (i == 0 && form->tail_bytes != 0) {
                memcpy(padded, tail, form->tail_bytes);
                crew->lanes.in[lane] = padded;
            }
        }
        const size_t blocks = form->ends->end[i].blocks;
        if (i + 1 == form->ends->count) {
            fin_compress_last(crew, blocks, batch->block_bytes);
        } else {
            crew->impl->compress_lanes(&crew->lanes, blocks, batch->block_bytes);
        }
    }
    fin_write_lanes(batch, crew, lanes);
}

/* Messages of one length as long as they fill the lanes. */
static void fin_run_in_step(fin_batch *batch, const fin_impl *impl)
{
    fin_crew crew;
    fin_formation form;
    fin_assemble(batch, &crew, impl);
    fin_form(batch, &crew, &form);
    while (batch->count - batch->next >= impl->lanes) {
        fin_march(batch, &crew, &form);
    }
    fin_disband(batch, &crew, impl->lanes);
}

/* ---- Messages of all lengths ---- */

static void fin_run_lanes(fin_batch *batch, const fin_impl *impl)
{
    fin_crew crew;
    const size_t lanes = impl->lanes;
    fin_assemble(batch, &crew, impl);
    crew.busy = lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
        fin_next_message(batch, &crew, lane);
    }
    for (;;) {
        const uint64_t blocks = fin_turn(batch, &crew);
        if (crew.busy == 0) {
            break;
        }
        if (batch->next == batch->count && 2 * crew.busy <= crew.impl->lanes) {
            impl = fin_dispatch_lanes(batch->compression, crew.busy);
            if (impl == NULL) {
                fin_dismiss(batch, &crew);
                break;
            }
            if (impl->lanes < crew.impl->lanes && impl->lanes >= crew.busy) {
                fin_move(batch, &crew, impl);
            }
        }
        if (crew.busy < crew.impl->lanes) {
            fin_fill_idle(&crew);
        }
        crew.impl->compress_lanes(&crew.lanes, (size_t)blocks, batch->block_bytes);
        crew.steps += blocks;
    }
    fin_finish_queue(batch, &crew);
    fin_disband(batch, &crew, lanes);
}

/* ---- The calls ---- */

static fin_status fin_check_message(const fin_batch *batch, const void *in, size_t bytes)
{
    if (in == NULL && bytes != 0) {
        return FIN_ERR_NULL;
    }
    const uint64_t pending = (uint64_t)bytes + batch->prefixed;
    const bool fits =
        pending >= bytes &&
        fin_ops_of(batch->descriptor)->fits(&batch->started, batch->compression, pending, 0);
    return fits ? FIN_OK : FIN_ERR_MESSAGE_LENGTH;
}

/* Nothing is written unless every message can be hashed. */
static fin_status fin_check_messages(const fin_batch *batch)
{
    fin_status status = FIN_OK;
    for (size_t i = 0; i < batch->count && status == FIN_OK; i++) {
        if (batch->messages != NULL) {
            status = fin_check_message(batch, batch->messages[i].in, batch->messages[i].bytes);
        } else if (batch->nodes != NULL) {
            const fin_tree tree = {.depth = 1, .node_offset = batch->nodes[i].node_offset};
            status = fin_check_message(batch, batch->nodes[i].in, batch->nodes[i].bytes);
            if (status == FIN_OK && !fin_blake2_tree_valid(batch->descriptor, &tree)) {
                status = FIN_ERR_TREE;
            }
        } else {
            return fin_check_message(batch, batch->side_by_side, batch->message_bytes);
        }
    }
    return status;
}

/* BLAKE2bp and BLAKE2sp have lanes of their own, BLAKE2X an output of any length. */
static fin_status fin_hash_each(const fin_batch *batch, const fin_params *params)
{
    fin_context context;
    fin_status status = FIN_OK;
    for (size_t i = 0; i < batch->count && status == FIN_OK; i++) {
        const fin_tail message = fin_message_at(batch, i);
        status = fin_init(&context, batch->descriptor->info.algorithm, params);
        if (status == FIN_OK && batch->prefixed) {
            status = fin_update(&context, &batch->prefix, 1);
        }
        if (status == FIN_OK) {
            status = fin_update(&context, message.in, message.bytes);
        }
        if (status == FIN_OK) {
            status = fin_final(&context, batch->digests + i * batch->stride, batch->digest_bytes);
        }
    }
    fin_wipe(&context);
    return status;
}

/* batch has its source, count, digests and stride; all else but a prefix is still 0. */
static fin_status fin_hash_batch(fin_batch *batch, fin_algorithm algorithm,
                                 const fin_params *params)
{
    fin_context context;
    const fin_status init = fin_init(&context, algorithm, params);
    if (init != FIN_OK) {
        return init;
    }
    batch->descriptor = fin_descriptor_of(algorithm);
    batch->compression = fin_descriptor_compression(batch->descriptor, context.digest_bytes);
    batch->block_bytes = fin_block_bytes[batch->compression];
    batch->increment = fin_block_increment(batch->descriptor, batch->block_bytes);
    batch->digest_bytes = (size_t)context.digest_bytes;
    batch->last_node = context.last_node != 0;
    batch->keyed = context.key_bytes != 0;
    batch->fresh = context.state;
    batch->fresh.f[0] = batch->fresh.f[1] = 0;
    batch->started = batch->fresh;
    fin_status status = FIN_OK;
    if (context.digest_bytes == FIN_XOF_UNKNOWN) {
        status = FIN_ERR_DIGEST_LENGTH;
    } else if (batch->stride < context.digest_bytes) {
        status = FIN_ERR_OUTPUT_LENGTH;
    } else {
        if (batch->keyed && batch->descriptor->shape == FIN_SERIAL) {
            memcpy(batch->key_block, context.buffer, batch->block_bytes);
            fin_compress_key(batch, &batch->started);
        }
        status = fin_check_messages(batch);
    }
    if (status == FIN_OK && batch->descriptor->shape != FIN_SERIAL) {
        status = fin_hash_each(batch, params);
    } else if (status == FIN_OK && batch->count != 0) {
        const fin_impl *impl = fin_dispatch_lanes(batch->compression, batch->count);
        const bool of_one_length = batch->messages == NULL && batch->nodes == NULL;
        if (impl != NULL && of_one_length && batch->count >= impl->lanes) {
            fin_run_in_step(batch, impl);
            impl = fin_dispatch_lanes(batch->compression, batch->count - batch->next);
        }
        if (impl != NULL && batch->next < batch->count) {
            fin_run_lanes(batch, impl);
        } else {
            fin_run_alone(batch);
        }
    }
    fin_wipe(&context);
    fin_erase(batch, sizeof *batch);
    return status;
}

fin_status fin_hash_many(fin_algorithm algorithm, const fin_params *params,
                         const fin_message *messages, size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (messages == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    fin_batch batch = {.messages = messages, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_hash_nodes(fin_algorithm algorithm, const fin_params *params, const fin_node *nodes,
                          size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (nodes == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (params == NULL || params->tree == NULL || params->tree->node_offset != 0 ||
        params->tree->last_node) {
        return FIN_ERR_TREE;
    }
    fin_batch batch = {.nodes = nodes, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_compress_many(fin_algorithm algorithm, const void *in, size_t node_bytes,
                             size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (digests == NULL || (in == NULL && node_bytes != 0))) {
        return FIN_ERR_NULL;
    }
    fin_batch batch = {.side_by_side = in,
                       .message_bytes = node_bytes,
                       .count = count,
                       .digests = digests,
                       .stride = stride};
    return fin_hash_batch(&batch, algorithm, NULL);
}

fin_status fin_hash_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                             const fin_message *messages, const uint8_t *side_by_side,
                             size_t message_bytes, size_t count, uint8_t *digests, size_t stride)
{
    fin_batch batch = {.messages = messages,
                       .side_by_side = side_by_side,
                       .message_bytes = message_bytes,
                       .count = count,
                       .digests = digests,
                       .stride = stride,
                       .prefixed = true,
                       .prefix = prefix};
    return fin_hash_batch(&batch, algorithm, params);
}

static void fin_pair_alone(fin_batch *batch)
{
    fin_state state = batch->fresh;
    state.f[0] = UINT64_MAX;
    fin_compress_end(&state, batch->compression,
                     batch->side_by_side + batch->next * batch->block_bytes, 1, batch->block_bytes,
                     1);
    fin_write_digest(batch, batch->next++, &state);
}

/* As many as fill the lanes, or all that are left: idle lanes take one of these once more. */
static void fin_pairs_in_lanes(fin_batch *batch, const fin_impl *impl)
{
    fin_crew crew;
    const size_t lanes = impl->lanes;
    const fin_end block = {NULL, 1, {0, 0}, 1};
    fin_assemble(batch, &crew, impl);
    fin_set_phase(batch, &crew, &block, 0);
    do {
        const size_t left = batch->count - batch->next;
        const uint8_t *in = batch->side_by_side + batch->next * batch->block_bytes;
        for (size_t lane = 0; lane < lanes; lane++) {
            crew.lanes.in[lane] = lane < left ? in + lane * batch->block_bytes : in;
            fin_put_h(&crew, lane, &batch->fresh);
        }
        fin_compress_last(&crew, 1, lanes * batch->block_bytes);
        fin_write_lanes(batch, &crew, left < lanes ? left : lanes);
    } while (batch->count - batch->next >= lanes);
    fin_disband(batch, &crew, 0);
}

fin_status fin_groestl_pairs(fin_algorithm algorithm, const void *in, size_t count,
                             uint8_t *digests, size_t stride)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL || descriptor->info.family != FIN_FAMILY_GROESTL) {
        return FIN_ERR_ALGORITHM;
    }
    if (count != 0 && (in == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (stride < descriptor->info.digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_context context;
    const fin_status status = fin_init(&context, algorithm, NULL);
    if (status != FIN_OK) {
        return status;
    }
    const fin_compression compression =
        fin_descriptor_compression(descriptor, descriptor->info.digest_bytes);
    fin_batch batch = {.descriptor = descriptor,
                       .compression = compression,
                       .block_bytes = fin_block_bytes[compression],
                       .side_by_side = in,
                       .count = count,
                       .digests = digests,
                       .stride = stride,
                       .digest_bytes = descriptor->info.digest_bytes,
                       .fresh = context.state};
    while (batch.next < count) {
        const fin_impl *impl = fin_dispatch_lanes(compression, count - batch.next);
        if (impl != NULL) {
            fin_pairs_in_lanes(&batch, impl);
        } else {
            fin_pair_alone(&batch);
        }
    }
    return FIN_OK;
}
