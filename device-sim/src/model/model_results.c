/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Results: they go to the host in chunks when it polls, and are ranked there if the log says so. */
#include "model/model_stage.h"

bool csd_model_await_host(struct model_player *player, uint32_t index, enum model_stage stage) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  csd_model_core_release(player, &player->cores, index);
  if (p->link_completion == CSD_MODEL_COMPLETION_INTERRUPT) {
    return model_then(player, index, stage,
                      model_add(player->now, model_ns(p->link_completion_ns)));
  }
  return model_then(player, index, stage, csd_model_poll(player, r));
}

bool csd_model_send(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  if (!model_has_session(player, r)) {
    return model_at_once(r, NEXT);
  }
  r->bytes_left = r->event.bytes;
  r->report.bytes_sent = model_sum(r->report.bytes_sent, r->event.bytes);
  return csd_model_await_host(player, index, POLLED);
}

bool csd_model_polled(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_trace_request(player, index, r->mark, CSD_MODEL_ACTIVITY_WAIT, 0);
  csd_model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  r->segment_from = player->now;
  return model_at_once(r, CHUNK);
}

bool csd_model_send_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  if (r->bytes_left == 0) {
    csd_model_trace_request(player, index, r->segment_from, CSD_MODEL_ACTIVITY_SEND,
                            r->event.bytes);
    r->poll_base = player->now;
    r->answered = true;
    return model_at_once(r, NEXT);
  }
  r->report.link_commands++;
  r->callbacks++;
  return model_then(player, index, CHUNK_ASKED,
                    model_add(player->now, model_ns(player->profile->send_chunk_ns)));
}

static uint64_t chunk_bytes(const struct model_player *player, const struct model_request *r) {
  const uint64_t most = player->profile->send_chunk_bytes;
  return r->bytes_left < most ? r->bytes_left : most;
}

bool csd_model_move_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t time = model_transfer(chunk_bytes(player, r), player->profile->link_bytes_per_s);
  return model_then(player, index, CHUNK_SENT,
                    csd_model_reserve(player, CSD_MODEL_RESOURCE_LINK, 1, time, &r->from));
}

bool csd_model_end_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t bytes = chunk_bytes(player, r);
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_LINK,
                                .what = CSD_MODEL_ACTIVITY_SEND,
                                .unit = 1,
                                .amount = bytes,
                                .from = r->from,
                                .until = player->now};
  csd_model_charge(player, index, &use);
  csd_model_spend(player, index, CSD_MODEL_PART_SEND, player->now);
  r->bytes_left -= bytes;
  return model_at_once(r, CHUNK);
}

/* ---- ranking by the host ---- */

static struct model_cores *host_cores(struct model_player *player) {
  return player->on_host ? &player->cores : &player->ranking;
}

bool csd_model_rank(struct model_player *player, uint32_t index) {
  if (!player->on_host) {
    csd_model_core_release(player, &player->cores, index);
  }
  return model_with_core(player, host_cores(player), index, RANK);
}

bool csd_model_begin_rank(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_has_core(player, index);
  r->from = player->now;
  if (!player->on_host) {
    csd_model_controller_works(player, -1);
    csd_model_host_works(player, 1);
  }
  const model_wide time = (model_wide)r->event.bytes * player->profile->host_rank_ps;
  return model_then(player, index, RANKED, model_add(player->now, model_saturate(time)));
}

bool csd_model_end_rank(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_charge_core(player, host_cores(player), index, r->from, CSD_MODEL_ACTIVITY_RANK,
                        r->event.bytes);
  csd_model_trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_RANK, r->event.bytes);
  csd_model_spend(player, index, CSD_MODEL_PART_RANK, player->now);
  r->report.results_ranked = model_sum(r->report.results_ranked, r->event.bytes);
  if (!player->on_host) {
    csd_model_core_release(player, &player->ranking, index);
    csd_model_controller_works(player, 1);
    csd_model_host_works(player, -1);
  }
  return model_at_once(r, NEXT);
}
