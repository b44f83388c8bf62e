/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The work before an event of the log: on a core, in pieces between which others use the DRAM bus.
 */
#include "model/model_stage.h"

/* Time of a piece, and the highest number of pieces. A request that runs alone needs one piece
 * only. */
#define PIECE_PS UINT64_C(10000000)
enum { MAX_PIECES = 1 << 16 };

static bool is_alone(const struct model_player *player, uint32_t index) {
  const struct model_request *r = &player->requests[index];
  return player->run->count == 1 && !model_is_worker(player, index) && r->ahead_count == 0 &&
         r->flash_count == 0;
}

void csd_model_measure_work(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  struct model_request *r = &player->requests[index];
  struct csd_model_report *report = &player->requests[r->of].report;
  const bool host = r->works_on_host;
  const uint32_t *cycles = host ? p->host_millicycles : p->core_millicycles;
  const uint32_t *access_ps = host ? p->host_access_ps : p->access_ps;
  const uint32_t *access_bytes = host ? p->host_access_bytes : p->access_bytes;
  const uint64_t hz = host ? p->host_hz : p->core_hz;
  const uint64_t bandwidth = host ? p->host_dram_bytes_per_s : p->dram_bytes_per_s;
  model_wide millicycles = 0, sram_ps = 0, memory_ps = 0, bytes = 0;
  for (uint32_t i = 0; i < r->event.work_count; i++) {
    const uint32_t kind = csd_model_work_kind(r->event.work[i]);
    const uint64_t units = csd_model_work_units(r->event.work[i]);
    report->work[kind] = model_sum(report->work[kind], units);
    millicycles += (model_wide)units * cycles[kind];
    if (kind == CSD_MODEL_WORK_PAGE_OPEN && !host && p->copy_bytes_per_s > 0) {
      continue; /* copied while it was fetched */
    }
    bytes += (model_wide)units * access_bytes[kind];
    *(kind == CSD_MODEL_WORK_SRAM_ACCESS ? &sram_ps : &memory_ps) +=
        (model_wide)units * access_ps[kind];
  }
  /* 24 kinds of less than 2^56 units at less than 2^27: below 2^88, x 10^9 below 2^118 */
  r->compute_ps =
      model_add(model_saturate(millicycles * UINT64_C(1000000000) / hz), model_saturate(sram_ps));
  if (!host && !model_is_worker(player, index) && model_has_session(player, r)) {
    r->compute_ps = model_add(r->compute_ps, r->callbacks * model_ns(p->thread_worker_ns));
    r->callbacks = 0;
  }
  r->bus_bytes = bytes < MODEL_NEVER ? (uint64_t)bytes : MODEL_NEVER;
  r->bus_ps = model_transfer(r->bus_bytes, bandwidth);
  r->memory_ps = model_later(model_saturate(memory_ps), r->bus_ps);
  const uint64_t time = model_add(r->compute_ps, r->memory_ps);
  uint64_t pieces = time / PIECE_PS + (time % PIECE_PS != 0);
  if (pieces > MAX_PIECES) {
    pieces = MAX_PIECES;
  }
  if (pieces > 1 && is_alone(player, index)) {
    pieces = 1;
  }
  r->pieces = pieces;
}

bool csd_model_next_event(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const size_t at = r->at;
  csd_model_log_next(r->log, &r->at, &r->event);
  if (r->event.kind == CSD_MODEL_LOAD || r->event.kind == CSD_MODEL_READ_AHEAD ||
      r->event.kind == CSD_MODEL_ASK) {
    r->event.address += model_first_lba(player->run, index);
  }
  if (r->event.kind == CSD_MODEL_TASK) {
    r->at = at; /* its worker takes it */
    return csd_model_begin_tasks(player, index);
  }
  csd_model_measure_work(player, index);
  if (r->pieces == 0) {
    return model_at_once(r, EVENT);
  }
  r->answered = false;
  return model_with_core(player, &player->cores, index, WORK);
}

bool csd_model_begin_work(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  struct model_cores *cores = model_cores_of(player, index);
  const uint64_t switch_ps = r->works_on_host ? 0 : model_ns(player->profile->core_switch_ns);
  csd_model_has_core(player, index);
  r->from = r->segment_from = r->slice_from = player->now;
  if (!r->scheduled && !model_is_worker(player, index) && model_has_session(player, r)) {
    r->compute_ps = model_add(r->compute_ps, model_ns(player->profile->thread_master_ns));
  }
  r->scheduled = true;
  const uint32_t last = cores->last[r->core];
  if (switch_ps > 0 && last != MODEL_NONE && last != index) {
    cores->last[r->core] = index;
    return model_then(player, index, SWITCHED, model_add(player->now, switch_ps));
  }
  return model_at_once(r, PIECE);
}

bool csd_model_switched(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_charge_core(player, model_cores_of(player, index), index, r->from,
                        CSD_MODEL_ACTIVITY_QUEUE, 0);
  csd_model_spend(player, index, CSD_MODEL_PART_FIXED, player->now);
  r->segment_from = player->now;
  return model_at_once(r, PIECE);
}

/* Begins a piece of the work: its share of the bus as soon as that is free, then the rest. */
bool csd_model_begin_piece(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t memory = r->memory_ps / r->pieces;
  const uint64_t bus = r->bus_ps / r->pieces;
  uint64_t start = player->now;
  r->piece_compute = r->compute_ps / r->pieces;
  r->bus_from = r->bus_until = start;
  if (bus > 0) {
    r->bus_until = csd_model_reserve(
        player, r->works_on_host ? CSD_MODEL_RESOURCE_HOST_DRAM : CSD_MODEL_RESOURCE_DRAM_BUS, 0,
        bus, &r->bus_from);
    start = r->bus_from;
  }
  r->memory_ps -= memory;
  r->bus_ps -= bus;
  r->compute_ps -= r->piece_compute;
  return model_then(player, index, WORKED, model_add(start, model_add(memory, r->piece_compute)));
}

bool csd_model_end_piece(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  struct model_cores *cores = model_cores_of(player, index);
  const uint64_t bytes = r->bus_bytes / r->pieces;
  const struct model_use bus = {
      .resource = r->works_on_host ? CSD_MODEL_RESOURCE_HOST_DRAM : CSD_MODEL_RESOURCE_DRAM_BUS,
      .what = CSD_MODEL_ACTIVITY_TRANSFER,
      .amount = bytes,
      .from = r->bus_from,
      .until = r->bus_until};
  csd_model_charge(player, index, &bus);
  csd_model_spend(player, index, CSD_MODEL_PART_COMPUTE, r->mark + r->piece_compute);
  csd_model_spend(player, index, CSD_MODEL_PART_DRAM, player->now);
  r->bus_bytes -= bytes;
  const bool done = --r->pieces == 0;
  const uint64_t slice = r->works_on_host ? 0 : model_ns(player->profile->core_slice_ns);
  const bool yields = !done && slice > 0 && cores->first_waiting != MODEL_NONE &&
                      player->now - r->slice_from >= slice;
  if (!done && !yields) {
    return model_at_once(r, PIECE);
  }
  csd_model_charge_core(player, cores, index, r->segment_from, CSD_MODEL_ACTIVITY_COMPUTE, 0);
  csd_model_trace_request(player, index, r->segment_from, CSD_MODEL_ACTIVITY_COMPUTE, 0);
  if (done) {
    return model_at_once(r, EVENT);
  }
  csd_model_core_release(player, cores, index);
  return model_with_core(player, cores, index, WORK);
}
