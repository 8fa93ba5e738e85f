/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Keeps the lanes of an implementation full. It handles segments only: a lane compresses one, then
 * its job's next one, then begins the next message.
 *
 * Each step compresses as many blocks as every lane has left in its segment. Once no message waits
 * and half of the lanes are empty, a narrower implementation takes over, and finally the one for a
 * single message. Nothing is allocated.
 */
#include "multi/batch.h"

#include "lanes/lanes.h"

/* ---- The order of messages ---- */

/* Number of next messages that are sorted, longest first. Lanes that begin messages of similar
   length end together, so all are interrupted less often: 10,000 messages of 0 to 4096 bytes take
   1.6 instead of 2.2 core cycles per byte (BLAKE-256, AMD family 19h, gcc 12, AVX-512). */
enum { FIN_WINDOW = 256 };
typedef struct fin_window {
    size_t count;
    size_t taken;
    size_t index[FIN_WINDOW]; /* of the messages, the longest first */
} fin_window;

/* Sorts by length, in units of 64 bytes or larger ones if there are too many lengths: a counting
   sort. */
static void fin_window_sort(fin_window *window, const size_t *bytes, size_t longest)
{
    enum { LENGTHS = 256 };
    uint16_t at[LENGTHS + 1]; /* number of longer messages */
    size_t sorted[FIN_WINDOW];
    unsigned shift = 6;
    while (longest >> shift >= LENGTHS) {
        shift++;
    }
    const size_t greatest = longest >> shift;
    memset(at, 0, (greatest + 2) * sizeof at[0]);
    for (size_t i = 0; i < window->count; i++) {
        at[greatest - (bytes[i] >> shift) + 1]++;
    }
    for (size_t length = 0; length < greatest; length++) {
        at[length + 1] = (uint16_t)(at[length + 1] + at[length]);
    }
    for (size_t i = 0; i < window->count; i++) {
        sorted[at[greatest - (bytes[i] >> shift)]++] = window->index[i];
    }
    memcpy(window->index, sorted, window->count * sizeof sorted[0]);
}

/* Fills the window with the next messages. */
static FIN_NOINLINE void fin_window_fill(fin_window *window, fin_batch *batch, size_t unordered)
{
    size_t bytes[FIN_WINDOW];
    size_t longest = 0;
    window->count = window->taken = 0;
    for (; window->count < FIN_WINDOW && batch->next < batch->source.count; batch->next++) {
        fin_message_descriptor message;
        fin_source_message(&batch->source, batch->next, &message);
        if (message.digest != NULL && fin_is_left(batch, message.bytes)) {
            window->index[window->count] = batch->next;
            bytes[window->count++] = message.bytes;
            longest = message.bytes > longest ? message.bytes : longest;
        }
    }
    if (window->count > unordered) {
        fin_window_sort(window, bytes, longest);
    }
}

/* Returns the next message; false if there is none. If at most unordered messages are left, all get
   a lane at once, so they are not sorted. */
static bool fin_window_draw(fin_window *window, fin_batch *batch, size_t unordered,
                            fin_message_descriptor *message)
{
    if (window->taken == window->count) {
        fin_window_fill(window, batch, unordered);
        if (window->count == 0) {
            return false;
        }
    }
    if (window->taken + FIN_LOOKAHEAD < window->count) {
        fin_source_message(&batch->source, window->index[window->taken + FIN_LOOKAHEAD], message);
        __builtin_prefetch(message->in);
    }
    fin_source_message(&batch->source, window->index[window->taken++], message);
    return true;
}

/* ---- The schedule ---- */

#define FIN_IDLE UINT64_MAX

/* Finished messages of Grøstl that wait for their output transformation, which pays only for all
   lanes together. */
typedef struct fin_queue {
    const fin_impl *impl;
    fin_lane_layout layout;
    size_t count;
    uint8_t *digest[FIN_LANES_MAX];
    fin_lanes lanes;
} fin_queue;

typedef struct fin_schedule {
    const fin_impl *impl;
    fin_lane_layout layout;
    bool queued;                 /* messages wait for an output transformation */
    size_t busy;                 /* lanes with a message */
    uint64_t steps;              /* blocks that every lane has compressed */
    uint64_t due[FIN_LANES_MAX]; /* the step at which the lane's segment ends, or FIN_IDLE */
    fin_job *job[FIN_LANES_MAX];
    fin_segment segment[FIN_LANES_MAX];
    fin_window window;
    fin_lanes lanes;
    fin_queue queue;
    fin_job jobs[FIN_LANES_MAX];
    uint8_t copied[FIN_LANES_MAX][128];
} fin_schedule;

/* ---- Ends of messages ---- */

static void fin_queue_run(fin_queue *queue, const fin_batch *batch)
{
    if (queue->count != 0) {
        queue->impl->finish_lanes(&queue->lanes, 0, 0);
    }
    for (size_t i = 0; i < queue->count; i++) {
        fin_lanes_output(&queue->lanes, queue->layout, i, queue->digest[i],
                         (size_t)batch->instance.digest_bytes);
    }
    queue->count = 0;
}

/* Writes the digest of the lane's message, or queues it for its output transformation. */
static void fin_end_message(const fin_batch *batch, fin_schedule *schedule, size_t lane)
{
    fin_queue *queue = &schedule->queue;
    uint8_t *digest = schedule->job[lane]->digest;
    if (!schedule->queued) {
        fin_lanes_output(&schedule->lanes, schedule->layout, lane, digest,
                         (size_t)batch->instance.digest_bytes);
        return;
    }
    fin_state state;
    queue->digest[queue->count] = digest;
    fin_lanes_take_h(&schedule->lanes, schedule->layout, lane, &state);
    fin_lanes_put_h(&queue->lanes, queue->layout, queue->count, &state);
    fin_erase(&state.h, sizeof state.h);
    if (++queue->count == queue->impl->lanes) {
        fin_queue_run(queue, batch);
    }
}

/* ---- Lanes ---- */

/* Sets the lane to its job's next segment; false if there is none. */
static bool fin_next_segment(const fin_batch *batch, fin_schedule *schedule, size_t lane)
{
    fin_job *job = schedule->job[lane];
    fin_segment *segment = &schedule->segment[lane];
    if (!fin_job_next(batch, job, segment)) {
        return false;
    }
    fin_lanes_set_segment(&schedule->lanes, schedule->layout, lane, segment, job->last_node);
    schedule->due[lane] = schedule->steps + segment->blocks;
    return true;
}

/* Begins the next message, if there is one, in the lane. */
static void fin_next_message(fin_batch *batch, fin_schedule *schedule, size_t lane)
{
    fin_state own;
    schedule->due[lane] = FIN_IDLE;
    fin_message_descriptor message;
    if (!fin_window_draw(&schedule->window, batch, schedule->impl->lanes, &message)) {
        schedule->busy--;
        return;
    }
    const fin_state *state = fin_job_begin(batch, &message, schedule->job[lane], &own);
    fin_lanes_put_h(&schedule->lanes, schedule->layout, lane, state);
    fin_next_segment(batch, schedule, lane);
}

/* Gives lanes at the end of a segment their next one. Returns how many blocks every lane then has
   left. */
static uint64_t fin_turn(fin_batch *batch, fin_schedule *schedule)
{
    uint64_t next = FIN_IDLE;
    for (size_t lane = 0; lane < schedule->impl->lanes; lane++) {
        if (schedule->due[lane] == schedule->steps && !fin_next_segment(batch, schedule, lane)) {
            fin_end_message(batch, schedule, lane);
            fin_next_message(batch, schedule, lane);
        }
        next = schedule->due[lane] < next ? schedule->due[lane] : next;
    }
    return next - schedule->steps;
}

/* Points lanes without a message to another lane's blocks. */
static void fin_fill_idle(fin_schedule *schedule)
{
    const uint8_t *some = NULL;
    for (size_t lane = 0; lane < schedule->impl->lanes; lane++) {
        if (schedule->due[lane] != FIN_IDLE) {
            some = schedule->lanes.in[lane];
        }
    }
    for (size_t lane = 0; lane < schedule->impl->lanes; lane++) {
        if (schedule->due[lane] == FIN_IDLE) {
            schedule->lanes.in[lane] = some;
        }
    }
}

/* ---- Fewer messages than lanes ---- */

/* Returns the rest of a lane's segment. */
static fin_segment fin_segment_left(const fin_batch *batch, const fin_schedule *schedule,
                                    size_t lane)
{
    fin_segment left = schedule->segment[lane];
    const size_t blocks = (size_t)(schedule->due[lane] - schedule->steps);
    const size_t done = left.blocks - blocks;
    left.in += done * batch->instance.block_bytes;
    left.blocks = blocks;
    fin_counter_advance(left.t, done, left.increment);
    return left;
}

/* Moves the messages in progress to the lanes of a narrower implementation. */
static void fin_narrow(const fin_batch *batch, fin_schedule *schedule, const fin_impl *impl)
{
    fin_state state[FIN_LANES_MAX];
    const size_t lanes = schedule->impl->lanes;
    size_t moved = 0;
    for (size_t lane = 0; lane < lanes; lane++) {
        if (schedule->due[lane] != FIN_IDLE) {
            fin_lanes_take_h(&schedule->lanes, schedule->layout, lane, &state[moved]);
            schedule->segment[moved] = fin_segment_left(batch, schedule, lane);
            schedule->job[moved++] = schedule->job[lane];
        }
    }
    schedule->impl = impl;
    schedule->layout = (fin_lane_layout){batch->instance.variant, impl->lanes};
    for (size_t lane = 0; lane < moved; lane++) {
        const fin_segment *segment = &schedule->segment[lane];
        fin_lanes_put_h(&schedule->lanes, schedule->layout, lane, &state[lane]);
        fin_lanes_set_segment(&schedule->lanes, schedule->layout, lane, segment,
                              schedule->job[lane]->last_node);
        schedule->due[lane] = schedule->steps + segment->blocks;
    }
    for (size_t lane = moved; lane < lanes; lane++) {
        schedule->due[lane] = FIN_IDLE;
    }
    fin_erase(state, moved * sizeof state[0]);
}

/* Finishes the last messages one at a time. */
static void fin_run_rest(const fin_batch *batch, fin_schedule *schedule)
{
    fin_state state = batch->started;
    for (size_t lane = 0; lane < schedule->impl->lanes; lane++) {
        if (schedule->due[lane] != FIN_IDLE) {
            fin_segment left = fin_segment_left(batch, schedule, lane);
            fin_lanes_take_h(&schedule->lanes, schedule->layout, lane, &state);
            fin_job_finish(batch, schedule->job[lane], &state, &left);
        }
    }
    fin_erase(&state, sizeof state);
}

/* Returns true after it has hashed the last messages one at a time; otherwise may narrow the
   lanes. */
static bool fin_use_fewer_lanes(const fin_batch *batch, fin_schedule *schedule)
{
    const fin_impl *impl =
        fin_dispatch_blocks(batch->instance.compression, FIN_LONG_BLOCKS, schedule->busy);
    if (impl == NULL) {
        fin_run_rest(batch, schedule);
        return true;
    }
    if (impl->lanes < schedule->impl->lanes && impl->lanes >= schedule->busy) {
        fin_narrow(batch, schedule, impl);
    }
    return false;
}

/* ---- The whole batch ---- */

static void fin_schedule_start(fin_schedule *schedule, const fin_batch *batch, const fin_impl *impl)
{
    const fin_lane_layout layout = (fin_lane_layout){batch->instance.variant, impl->lanes};
    schedule->impl = schedule->queue.impl = impl;
    schedule->layout = schedule->queue.layout = layout;
    schedule->queued = impl->finish_lanes != impl->compress_lanes;
    schedule->queue.count = 0;
    schedule->steps = 0;
    schedule->busy = impl->lanes;
    schedule->window.count = schedule->window.taken = 0;
    fin_lanes_start(&schedule->lanes, &batch->started);
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        schedule->job[lane] = &schedule->jobs[lane];
        schedule->jobs[lane].copied = schedule->copied[lane];
    }
}

static void fin_schedule_erase(fin_schedule *schedule, const fin_batch *batch, size_t lanes)
{
    fin_erase(&schedule->lanes, sizeof schedule->lanes);
    if (schedule->queued) {
        fin_erase(&schedule->queue.lanes.row, sizeof schedule->queue.lanes.row);
    }
    fin_erase(schedule->jobs, lanes * sizeof schedule->jobs[0]);
    if (batch->prefixed) {
        fin_erase(schedule->copied, lanes * sizeof schedule->copied[0]);
    }
}

/* Prefetches the next message of every lane, in the order of their addresses, if these are close: the
   hardware prefetchers cannot follow one stream per lane. From memory, leaves of 1 KiB of a Merkle tree
   take 1.32 instead of 1.55 cycles per byte (BLAKE2s), 1.67 instead of 2.07 (BLAKE-256). */
static void fin_prefetch_next(const fin_schedule *schedule, const fin_batch *batch)
{
    enum { CLOSE = 65536, CACHED = 1 << 21 };
    const fin_window *window = &schedule->window;
    const size_t lanes = schedule->impl->lanes;
    fin_message_descriptor first, last;
    if (window->taken + lanes > window->count) {
        return;
    }
    fin_source_message(&batch->source, window->index[window->taken], &first);
    fin_source_message(&batch->source, window->index[window->taken + lanes - 1], &last);
    const size_t bytes = (size_t)((uintptr_t)last.in - (uintptr_t)first.in) + last.bytes;
    if (bytes <= CLOSE && bytes * (batch->source.count / lanes) > CACHED) {
        fin_prefetch_range(first.in, bytes, CLOSE / 64);
    }
}

void fin_run_scheduled(fin_batch *batch, const fin_impl *impl)
{
    fin_schedule schedule;
    const size_t lanes = impl->lanes;
    fin_schedule_start(&schedule, batch, impl);
    for (size_t lane = 0; lane < lanes; lane++) {
        fin_next_message(batch, &schedule, lane);
    }
    for (;;) {
        const uint64_t blocks = fin_turn(batch, &schedule);
        if (schedule.busy == 0) {
            break;
        }
        /* A lane is empty only if no message waits. */
        if (2 * schedule.busy <= schedule.impl->lanes && fin_use_fewer_lanes(batch, &schedule)) {
            break;
        }
        if (schedule.busy < schedule.impl->lanes) {
            fin_fill_idle(&schedule);
        }
        if (blocks >= FIN_LONG_BLOCKS) {
            fin_prefetch_next(&schedule, batch);
        }
        schedule.impl->compress_lanes(&schedule.lanes, (size_t)blocks, batch->instance.block_bytes);
        schedule.steps += blocks;
    }
    fin_queue_run(&schedule.queue, batch);
    fin_schedule_erase(&schedule, batch, lanes);
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}
