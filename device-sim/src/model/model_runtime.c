/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * How sessions share the device under a csd_model_runtime. A session that opens is granted memory,
 * or waits in line for it. It holds no more pages than it was granted, and gives its core away
 * after a few of them. Without a runtime nothing of this applies.
 */
#include "model/model_stage.h"

static const struct csd_model_runtime *runtime_of(const struct model_player *player) {
  return player->on_host ? NULL : player->run->runtime;
}

static bool grants(const struct model_player *player) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  return runtime != NULL && (runtime->memory_pages > 0 || runtime->sram_bytes > 0);
}

/* Takes the grant of a session out of what is free, if both kinds of memory have room for it. */
static bool take_grant(struct model_player *player) {
  const struct csd_model_runtime *runtime = player->run->runtime;
  const uint32_t pages = runtime->memory_pages > 0 ? runtime->session_pages : 0;
  const uint32_t sram = runtime->sram_bytes > 0 ? runtime->session_sram_bytes : 0;
  if (player->free_pages < pages || player->free_sram < sram) {
    return false;
  }
  player->free_pages -= pages;
  player->free_sram -= sram;
  return true;
}

bool csd_model_grant(struct model_player *player, uint32_t index) {
  player->requests[index].stage = GRANTED;
  if (!grants(player) || take_grant(player)) {
    return true;
  }
  csd_model_request_wait(player, &player->first_ungranted, &player->last_ungranted, index);
  return false;
}

void csd_model_grant_end(struct model_player *player) {
  if (!grants(player)) {
    return;
  }
  const uint32_t next = player->first_ungranted;
  if (next == MODEL_NONE) {
    player->free_pages += player->run->runtime->session_pages;
    player->free_sram += player->run->runtime->session_sram_bytes;
    return;
  }
  player->first_ungranted = player->requests[next].next_waiting;
  csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, next);
}

bool csd_model_may_hold(const struct model_player *player, uint32_t request) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  return runtime == NULL || runtime->memory_pages == 0 ||
         player->requests[request].held < runtime->session_pages;
}

bool csd_model_quantum_ends(const struct model_player *player, uint32_t index) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  const struct model_request *r = &player->requests[index];
  return runtime != NULL && runtime->quantum_pages > 0 && r->core != MODEL_NONE &&
         r->slice_pages >= runtime->quantum_pages;
}

uint64_t csd_model_poll(struct model_player *player, struct model_request *r) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  const bool adapts = runtime != NULL && runtime->poll_min_ps > 0;
  const uint64_t fixed = model_ns(player->profile->link_poll_ns);
  const uint64_t least = adapts ? runtime->poll_min_ps : fixed;
  const uint64_t most = adapts ? runtime->poll_max_ps : fixed;
  if (r->poll_ps == 0) {
    r->poll_ps = least;
  }
  for (; r->poll_ps < most && r->poll_base + r->poll_ps < player->now; r->report.link_polls++) {
    r->poll_base += r->poll_ps;
    r->poll_ps = r->poll_ps < most / 2 ? 2 * r->poll_ps : most;
  }
  const uint64_t passed = player->now - r->poll_base;
  const uint64_t polls = passed == 0 ? 1 : (passed + r->poll_ps - 1) / r->poll_ps;
  r->report.link_polls += polls - 1;
  r->poll_base += polls * r->poll_ps;
  r->poll_ps = model_later(least, r->poll_ps / 2);
  return r->poll_base;
}
