/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Messages of one length have segments of the same sizes and counters. So chaining values and
 * counters are made for the first message in each lane and kept; for the others only the places of
 * their blocks change.
 */
#include "multi/lockstep.h"

#include "multi/lanes.h"

/* Whole blocks, two ends. */
enum { FIN_SEGMENTS_MAX = 3 };

typedef struct fin_lockstep {
    const fin_impl *impl;
    fin_lane_layout layout;
    fin_lanes lanes;
    fin_lane_rows start; /* the rows before the first block */
    fin_lane_counters counters[FIN_SEGMENTS_MAX];
    fin_job jobs[FIN_LANES_MAX];
} fin_lockstep;

/* Segment number of every lane; its counters are those that were kept, unless it is met for the
   first time. False if the messages have ended. */
static bool fin_lockstep_segment(const fin_batch *batch, fin_lockstep *step, size_t number,
                                 bool first, fin_segment *segment)
{
    for (size_t lane = 0; lane < step->layout.lanes; lane++) {
        if (!fin_job_next(batch, &step->jobs[lane], segment)) {
            return false;
        }
        if (first) {
            fin_lanes_set_counter(&step->lanes, &step->layout, lane, segment, batch->last_node);
        }
        step->lanes.in[lane] = segment->in;
    }
    if (first) {
        fin_lanes_save_counters(&step->lanes, &step->layout, &step->counters[number]);
    } else {
        fin_lanes_load_counters(&step->lanes, &step->layout, &step->counters[number]);
    }
    return true;
}

/* One message in each lane, from its first block to its digest. */
static void fin_lockstep_run(fin_batch *batch, fin_lockstep *step, bool first)
{
    fin_segment segment = {.blocks = 0};
    fin_state own;
    for (size_t lane = 0; lane < step->layout.lanes; lane++) {
        const fin_state *state = fin_job_begin(batch, batch->next + lane, &step->jobs[lane], &own);
        if (first) {
            fin_lanes_put_h(&step->lanes, &step->layout, lane, state);
        }
    }
    if (first) {
        step->start = step->lanes.row;
    } else {
        step->lanes.row = step->start;
    }
    for (size_t number = 0; fin_lockstep_segment(batch, step, number, first, &segment); number++) {
        fin_compress_lanes_fn *compress =
            segment.last ? step->impl->finish_lanes : step->impl->compress_lanes;
        compress(&step->lanes, segment.blocks, batch->instance.block_bytes);
    }
    for (size_t lane = 0; lane < step->layout.lanes; lane++) {
        fin_lanes_output(&step->lanes, &step->layout, lane, &batch->instance,
                         fin_batch_digest(batch, batch->next + lane));
    }
    batch->next += step->layout.lanes;
}

void fin_run_lockstep(fin_batch *batch, const fin_impl *impl)
{
    fin_lockstep step;
    step.impl = impl;
    step.layout = fin_lane_layout_of(&batch->instance, impl);
    fin_lanes_start(&step.lanes, &batch->fresh);
    for (bool first = true; batch->count - batch->next >= impl->lanes; first = false) {
        fin_lockstep_run(batch, &step, first);
    }
    fin_erase(&step.lanes, sizeof step.lanes);
    fin_erase(step.jobs, impl->lanes * sizeof step.jobs[0]);
}
