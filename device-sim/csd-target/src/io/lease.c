/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: test_target_leases.c */
#include "io/lease.h"

#include <string.h>
#include <sys/random.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "transport/connection.h"
#include "transport/reply.h"

void tgt_leases_open(struct tgt_leases *l) {
  memset(l, 0, sizeof *l);
  pthread_mutex_init(&l->lock, NULL);
  l->started_ms = tgt_now_ms();
  if (getrandom(&l->boot, sizeof l->boot, 0) != sizeof l->boot) {
    l->boot = (uint64_t)l->started_ms;
  }
}

void tgt_leases_close(struct tgt_leases *l) { pthread_mutex_destroy(&l->lock); }

static bool is_held(const struct tgt_leases *l, int64_t now) {
  return l->writer != 0 && now < l->writer_until_ms;
}

static int take_writer(struct tgt_leases *l, struct tgt_controller *c, uint64_t key, int64_t until,
                       int64_t now) {
  if (is_held(l, now) && l->writer != key) {
    return CSD_STATUS_LOCKED;
  }
  if (l->last_writer != key) {
    l->generation++;
  }
  l->writer = l->last_writer = key;
  l->controller = c->id;
  l->writer_until_ms = until;
  c->lease_generation = l->generation;
  return 0;
}

static struct tgt_reader_lease *reader_of(struct tgt_leases *l, uint64_t key) {
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    if (l->readers[i].key == key) {
      return &l->readers[i];
    }
  }
  return NULL;
}

static int take_reader(struct tgt_leases *l, uint64_t key, uint64_t sequence, int64_t until) {
  struct tgt_reader_lease *reader = reader_of(l, key);
  if (reader == NULL) {
    reader = reader_of(l, 0);
  }
  if (reader == NULL) {
    return CSD_STATUS_NO_MEMORY;
  }
  *reader = (struct tgt_reader_lease){.key = key, .sequence = sequence, .until_ms = until};
  return 0;
}

static void release(struct tgt_leases *l, uint32_t action, uint64_t key) {
  if (action == CSD_LEASE_ACTION_DROP_WRITER && l->writer == key) {
    l->writer = 0;
  } else if (action == CSD_LEASE_ACTION_DROP_READER) {
    struct tgt_reader_lease *reader = reader_of(l, key);
    if (reader != NULL) {
      *reader = (struct tgt_reader_lease){0};
    }
  }
}

/* Seconds, rounded up. */
static uint32_t seconds_left(int64_t until, int64_t now) {
  return until > now ? (uint32_t)((until - now + 999) / 1000) : 0;
}

static struct csd_lease_state state_of(struct tgt_leases *l, int64_t now) {
  struct csd_lease_state state = {
      .boot = l->boot, .generation = l->generation, .least_sequence = UINT64_MAX};
  const int64_t grace_until = l->started_ms + CSD_MAX_LEASE_SECONDS * 1000;
  if (is_held(l, now)) {
    state.writer = l->writer;
    state.writer_seconds = seconds_left(l->writer_until_ms, now);
  }
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    struct tgt_reader_lease *reader = &l->readers[i];
    if (reader->key != 0 && now >= reader->until_ms) {
      *reader = (struct tgt_reader_lease){0};
    }
    if (reader->key != 0) {
      state.reader_count++;
      state.least_sequence =
          reader->sequence < state.least_sequence ? reader->sequence : state.least_sequence;
    }
  }
  state.grace_seconds = seconds_left(grace_until, now);
  return state;
}

static uint32_t report(struct tgt_leases *l, int64_t now, uint8_t *out) {
  const struct csd_lease_state state = state_of(l, now);
  memcpy(out, &state, sizeof state);
  return sizeof state;
}

void tgt_lease_look(struct tgt_leases *l, struct csd_lease_state *state) {
  pthread_mutex_lock(&l->lock);
  *state = state_of(l, tgt_now_ms());
  pthread_mutex_unlock(&l->lock);
}

static bool is_valid(const struct nvme_command *sqe, uint64_t key) {
  const bool takes =
      sqe->cdw10 == CSD_LEASE_ACTION_TAKE_WRITER || sqe->cdw10 == CSD_LEASE_ACTION_TAKE_READER;
  if (sqe->nsid != NVME_NAMESPACE || sqe->cdw2 != 0 || sqe->cdw3 != 0 ||
      sqe->cdw10 > CSD_LEASE_ACTION_DROP_READER ||
      sqe->sgl_length < sizeof(struct csd_lease_state)) {
    return false;
  }
  if (takes ? sqe->cdw11 < 1 || sqe->cdw11 > CSD_MAX_LEASE_SECONDS : sqe->cdw11 != 0) {
    return false;
  }
  if (sqe->cdw10 != CSD_LEASE_ACTION_TAKE_READER && (sqe->cdw14 != 0 || sqe->cdw15 != 0)) {
    return false;
  }
  return (sqe->cdw10 == CSD_LEASE_ACTION_REPORT) == (key == 0);
}

int tgt_lease_run(struct tgt_leases *l, struct tgt_controller *c, const struct nvme_command *sqe,
                  uint8_t *out, struct tgt_reply *reply) {
  const uint64_t key = (uint64_t)sqe->cdw13 << 32 | sqe->cdw12;
  const uint64_t sequence = (uint64_t)sqe->cdw15 << 32 | sqe->cdw14;
  const int64_t now = tgt_now_ms(), until = now + (int64_t)sqe->cdw11 * 1000;
  int status = 0;
  if (!is_valid(sqe, key)) {
    return CSD_STATUS_INVALID_FIELD;
  }
  pthread_mutex_lock(&l->lock);
  switch (sqe->cdw10) {
    case CSD_LEASE_ACTION_TAKE_WRITER: status = take_writer(l, c, key, until, now); break;
    case CSD_LEASE_ACTION_TAKE_READER: status = take_reader(l, key, sequence, until); break;
    default: release(l, sqe->cdw10, key); break;
  }
  if (status == 0) {
    reply->result = reply->data_bytes = report(l, now, out);
  }
  pthread_mutex_unlock(&l->lock);
  return status;
}

bool tgt_lease_lets_write(struct tgt_leases *l, const struct tgt_controller *c) {
  pthread_mutex_lock(&l->lock);
  const bool others = is_held(l, tgt_now_ms()) && l->controller != c->id;
  const bool late = c->lease_generation != 0 && c->lease_generation != l->generation;
  pthread_mutex_unlock(&l->lock);
  return !others && !late;
}

void tgt_lease_left(struct tgt_leases *l, const struct tgt_controller *c) {
  pthread_mutex_lock(&l->lock);
  const int64_t until = tgt_now_ms() + TGT_ORPHAN_MS;
  if (l->writer != 0 && l->controller == c->id && l->writer_until_ms > until) {
    l->writer_until_ms = until;
  }
  pthread_mutex_unlock(&l->lock);
}
