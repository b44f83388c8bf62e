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
  return runtime != NULL && runtime->memory_pages > 0;
}

bool csd_model_grant(struct model_player *player, uint32_t index) {
  player->requests[index].stage = GRANTED;
  if (!grants(player)) {
    return true;
  }
  const uint32_t pages = player->run->runtime->session_pages;
  if (player->free_pages < pages) {
    csd_model_request_wait(player, &player->first_ungranted, &player->last_ungranted, index);
    return false;
  }
  player->free_pages -= pages;
  return true;
}

void csd_model_grant_end(struct model_player *player) {
  if (!grants(player)) {
    return;
  }
  const uint32_t next = player->first_ungranted;
  if (next == MODEL_NONE) {
    player->free_pages += player->run->runtime->session_pages;
    return;
  }
  player->first_ungranted = player->requests[next].next_waiting;
  csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, next);
}

bool csd_model_may_hold(const struct model_player *player, uint32_t request) {
  return !grants(player) || player->requests[request].held < player->run->runtime->session_pages;
}

bool csd_model_yields(const struct model_player *player, uint32_t index) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  const struct model_request *r = &player->requests[index];
  return runtime != NULL && runtime->quantum_pages > 0 && r->core != MODEL_NONE &&
         r->slice_pages >= runtime->quantum_pages && player->cores.first_waiting != MODEL_NONE;
}

uint64_t csd_model_poll_interval(const struct model_player *player, const struct model_request *r) {
  const struct csd_model_runtime *runtime = runtime_of(player);
  if (runtime != NULL && runtime->first_poll_ps > 0 && !r->polled) {
    return runtime->first_poll_ps;
  }
  return model_ns(player->profile->link_poll_ns);
}
