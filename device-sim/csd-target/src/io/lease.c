/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/io/test_target_leases.c */
#include "io/lease.h"

#include <string.h>
#include <sys/random.h>

#include "csd/csd.h"
#include "options.h"
#include "transport/connection.h"
#include "transport/reply.h"

void tgt_leases_open(struct tgt_leases *l, const struct tgt_options *options) {
  memset(l, 0, sizeof *l);
  l->options = options;
  for (uint32_t scope = 0; scope < TGT_OWN_PLACES; scope++) {
    l->writers[scope].scope = scope;
  }
  l->writer_count = TGT_OWN_PLACES;
  pthread_mutex_init(&l->lock, NULL);
  l->started_ms = tgt_now_ms();
  if (getrandom(&l->boot, sizeof l->boot, 0) != sizeof l->boot) {
    l->boot = (uint64_t)l->started_ms;
  }
}

void tgt_leases_close(struct tgt_leases *l) { pthread_mutex_destroy(&l->lock); }

static bool is_held(const struct tgt_writer_lease *w, int64_t now) {
  return w->writer != 0 && now < w->until_ms;
}

/* Who asks: a process of a host. */
struct asker {
  const char *host;
  uint64_t key;
};

static bool is_of(const char *host, uint64_t key, const struct asker *who) {
  return key == who->key && strcmp(host, who->host) == 0;
}

static bool is_held_beside(const struct tgt_writer_lease *w, int64_t now, const struct asker *who) {
  return is_held(w, now) && !is_of(w->host, w->writer, who);
}

/* Whether a host has its share of the leases of scopes: more than the file table's and the like. */
static bool has_its_scopes(const struct tgt_leases *l, const struct tgt_held_leases *h,
                           int64_t now) {
  uint64_t count = 0;
  for (uint32_t at = TGT_OWN_PLACES; at < l->writer_count; at++) {
    count += is_held(&l->writers[at], now) && strcmp(l->writers[at].host, h->host) == 0;
  }
  return count >= tgt_options_share(l->options, TGT_MAX_SCOPES);
}

/* What a host is told, and a controller remembers: grows with each other key that takes the scope
   or one that excludes it. */
static uint64_t generation_of(const struct tgt_leases *l, uint32_t at) {
  return at == 0 ? l->changes : l->writers[0].generation + l->writers[at].generation;
}

/* @return l->writer_count if nobody is known to have had it */
static uint32_t find_scope(const struct tgt_leases *l, uint64_t scope) {
  uint32_t at = 0;
  while (at < l->writer_count && l->writers[at].scope != scope) {
    at++;
  }
  return at;
}

/* The place for a scope that is not there: a new one, or that of the one which nobody has had for
   longest. @return 0 if all are held */
static uint32_t place_for(struct tgt_leases *l, int64_t now) {
  const uint32_t most = sizeof l->writers / sizeof *l->writers;
  uint32_t oldest = 0;
  if (l->writer_count < most) {
    return l->writer_count++;
  }
  for (uint32_t at = TGT_OWN_PLACES; at < most; at++) {
    if (!is_held(&l->writers[at], now) &&
        (oldest == 0 || l->writers[at].until_ms < l->writers[oldest].until_ms)) {
      oldest = at;
    }
  }
  if (oldest != 0 && l->writers[oldest].generation > l->forgotten) {
    l->forgotten = l->writers[oldest].generation; /* who had it finds another generation */
  }
  return oldest;
}

/* @return NULL if the controller has no such lease */
static struct tgt_held_lease *find_held(struct tgt_held_leases *h, uint64_t scope) {
  for (uint32_t i = 0; i < h->count; i++) {
    if (h->held[i].scope == scope) {
      return &h->held[i];
    }
  }
  return NULL;
}

static void forget(struct tgt_held_leases *h, uint64_t scope) {
  struct tgt_held_lease *held = find_held(h, scope);
  if (held != NULL) {
    *held = h->held[--h->count];
  }
}

/* A controller has the lease of scope 0, or leases of others. */
static void forget_other_kind(struct tgt_held_leases *h, uint64_t scope) {
  if (scope != 0) {
    forget(h, 0);
    return;
  }
  while (h->count > 0 && h->held[h->count - 1].scope != 0) {
    h->count--;
  }
}

static struct tgt_held_lease *record_of(struct tgt_held_leases *h, uint64_t scope) {
  struct tgt_held_lease *held = find_held(h, scope);
  if (held != NULL) {
    return held;
  }
  uint32_t others = 0;
  for (uint32_t i = 0; i < h->count; i++) {
    others += h->held[i].scope >= TGT_OWN_PLACES;
  }
  return scope < TGT_OWN_PLACES || others < TGT_MAX_HELD ? &h->held[h->count] : NULL;
}

/* Whether somebody else has had a scope, or one that excludes it, since a controller took it. */
static bool is_late(const struct tgt_leases *l, const struct tgt_held_lease *held) {
  return l->writers[held->at].scope != held->scope ||
         generation_of(l, held->at) != held->generation;
}

/* Whether somebody has what keeps a process from the lease of a scope. */
static bool is_excluded(const struct tgt_leases *l, uint64_t scope, const struct asker *who,
                        int64_t now) {
  const uint32_t at = find_scope(l, scope);
  if (at < l->writer_count && is_held_beside(&l->writers[at], now, who)) {
    return true;
  }
  if (scope != 0) {
    return is_held(&l->writers[0], now);
  }
  for (uint32_t i = 1; i < l->writer_count; i++) {
    if (is_held(&l->writers[i], now)) {
      return true;
    }
  }
  return false;
}

/* The place of a scope, or one for it. @return l->writer_count if there is none for this host */
static uint32_t place_of(struct tgt_leases *l, const struct tgt_held_leases *h, uint64_t scope,
                         int64_t now) {
  uint32_t at = find_scope(l, scope);
  const bool known = at < l->writer_count;
  const bool renews =
      known && is_held(&l->writers[at], now) && strcmp(l->writers[at].host, h->host) == 0;
  if (scope >= TGT_OWN_PLACES && !renews && has_its_scopes(l, h, now)) {
    return l->writer_count;
  }
  if (!known) {
    at = place_for(l, now);
    if (at == 0) {
      return l->writer_count;
    }
    l->writers[at] = (struct tgt_writer_lease){.scope = scope, .generation = l->forgotten};
  }
  return at;
}

static int take_writer(struct tgt_leases *l, struct tgt_held_leases *h, uint64_t scope,
                       uint64_t key, int64_t until, int64_t now) {
  const struct asker who = {h->host, key};
  const struct tgt_held_lease *had = find_held(h, scope);
  /* Were it given to a late one again, what that has sent before it knew would be written. */
  if (is_excluded(l, scope, &who, now) || (had != NULL && had->key == key && is_late(l, had))) {
    return CSD_STATUS_LOCKED;
  }
  forget_other_kind(h, scope);
  struct tgt_held_lease *record = record_of(h, scope);
  const uint32_t at = record == NULL ? l->writer_count : place_of(l, h, scope, now);
  if (at == l->writer_count) {
    return CSD_STATUS_NO_MEMORY;
  }
  struct tgt_writer_lease *w = &l->writers[at];
  /* Who has the whole again after another had a part of it has to learn of that, and the other;
     and so has who had the whole when another has a part again. */
  const bool between =
      scope == 0 ? l->whole_since != l->changes : w->whole != l->writers[0].generation;
  if (!is_of(w->host, w->last_writer, &who) || between) {
    w->generation++;
    l->changes++;
  }
  w->whole = l->writers[0].generation;
  w->writer = w->last_writer = key;
  strcpy(w->host, h->host);
  w->controller = h->controller;
  w->until_ms = until;
  if (scope == 0) {
    l->whole_since = l->changes;
  } else {
    h->scoped = true;
  }
  if (record == &h->held[h->count]) {
    h->count++;
  }
  *record = (struct tgt_held_lease){
      .scope = scope, .generation = generation_of(l, at), .key = key, .at = at};
  return 0;
}

static int drop_writer(struct tgt_leases *l, struct tgt_held_leases *h, uint64_t scope,
                       uint64_t key, int64_t now) {
  const uint32_t at = find_scope(l, scope);
  if (at < l->writer_count && l->writers[at].writer == key) {
    if (strcmp(l->writers[at].host, h->host) != 0) {
      return CSD_STATUS_LOCKED;
    }
    l->writers[at].writer = 0;
    l->writers[at].until_ms = now;
  }
  struct tgt_held_lease *held = find_held(h, scope);
  if (scope != 0) {
    forget(h, scope);
  } else if (held != NULL && held->key == key) {
    held->key = 0; /* who had the whole is to know if it goes to another */
  }
  return 0;
}

/* Frees the places of readers whose time is over. */
static void end_readers(struct tgt_leases *l, int64_t now) {
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    if (l->readers[i].key != 0 && now >= l->readers[i].until_ms) {
      l->readers[i] = (struct tgt_reader_lease){0};
    }
  }
}

static struct tgt_reader_lease *reader_of(struct tgt_leases *l, const struct asker *who) {
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    if (is_of(l->readers[i].host, l->readers[i].key, who)) {
      return &l->readers[i];
    }
  }
  return NULL;
}

/* A free place. @return NULL if there is none, or the host has its share of them */
static struct tgt_reader_lease *place_of_reader(struct tgt_leases *l,
                                                const struct tgt_held_leases *h) {
  struct tgt_reader_lease *place = NULL;
  uint64_t count = 0;
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    struct tgt_reader_lease *reader = &l->readers[i];
    count += reader->key != 0 && strcmp(reader->host, h->host) == 0;
    place = reader->key == 0 ? reader : place;
  }
  return count < tgt_options_share(l->options, TGT_MAX_READERS) ? place : NULL;
}

static int take_reader(struct tgt_leases *l, const struct tgt_held_leases *h, uint64_t key,
                       uint64_t sequence, int64_t until) {
  const struct asker who = {h->host, key};
  struct tgt_reader_lease *reader = reader_of(l, &who);
  if (reader == NULL) {
    reader = place_of_reader(l, h);
  }
  if (reader == NULL) {
    return CSD_STATUS_NO_MEMORY;
  }
  strcpy(reader->host, h->host);
  reader->key = key;
  reader->sequence = sequence;
  reader->until_ms = until;
  return 0;
}

static void drop_reader(struct tgt_leases *l, const struct tgt_held_leases *h, uint64_t key) {
  const struct asker who = {h->host, key};
  struct tgt_reader_lease *reader = reader_of(l, &who);
  if (reader != NULL) {
    *reader = (struct tgt_reader_lease){0};
  }
}

/* Seconds, rounded up. */
static uint32_t seconds_left(int64_t until, int64_t now) {
  return until > now ? (uint32_t)((until - now + 999) / 1000) : 0;
}

/* Who keeps others from a scope: who has it, or one that excludes it. No host is told the key of
   another. */
static void note_writers(const struct tgt_leases *l, const char *host, uint64_t scope, int64_t now,
                         struct csd_lease_state *state) {
  for (uint32_t at = 0; at < l->writer_count; at++) {
    const struct tgt_writer_lease *w = &l->writers[at];
    if (!is_held(w, now)) {
      continue;
    }
    const uint32_t seconds = seconds_left(w->until_ms, now);
    state->writer_count++;
    if ((scope == 0 || w->scope == 0 || w->scope == scope) && seconds > state->writer_seconds) {
      state->writer = strcmp(w->host, host) == 0 ? w->writer : UINT64_MAX;
      state->writer_seconds = seconds;
    }
  }
}

static struct csd_lease_state state_of(struct tgt_leases *l, const char *host, uint64_t scope,
                                       int64_t now) {
  struct csd_lease_state state = {.boot = l->boot, .min_sequence = UINT64_MAX};
  const int64_t grace_until = l->started_ms + CSD_MAX_LEASE_SECONDS * 1000;
  const uint32_t at = find_scope(l, scope);
  state.generation = at < l->writer_count ? generation_of(l, at) : 0;
  note_writers(l, host, scope, now, &state);
  end_readers(l, now);
  for (uint32_t i = 0; i < TGT_MAX_READERS; i++) {
    const struct tgt_reader_lease *reader = &l->readers[i];
    if (reader->key != 0) {
      state.reader_count++;
      state.min_sequence =
          reader->sequence < state.min_sequence ? reader->sequence : state.min_sequence;
    }
  }
  state.grace_seconds = seconds_left(grace_until, now);
  return state;
}

static uint32_t report(struct tgt_leases *l, const char *host, uint64_t scope, int64_t now,
                       uint8_t *out) {
  const struct csd_lease_state state = state_of(l, host, scope, now);
  memcpy(out, &state, sizeof state);
  return sizeof state;
}

void tgt_lease_look(struct tgt_leases *l, struct csd_lease_state *state) {
  pthread_mutex_lock(&l->lock);
  *state = state_of(l, "", 0, tgt_now_ms());
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
  const bool bare =
      sqe->cdw10 == CSD_LEASE_ACTION_REPORT || sqe->cdw10 == CSD_LEASE_ACTION_DROP_READER;
  if (bare && (sqe->cdw14 != 0 || sqe->cdw15 != 0)) {
    return false;
  }
  return (sqe->cdw10 == CSD_LEASE_ACTION_REPORT) == (key == 0);
}

int tgt_lease_run(struct tgt_leases *l, struct tgt_held_leases *h, const struct nvme_command *sqe,
                  uint8_t *out, struct tgt_reply *reply) {
  const uint64_t key = (uint64_t)sqe->cdw13 << 32 | sqe->cdw12;
  const uint64_t number = (uint64_t)sqe->cdw15 << 32 | sqe->cdw14; /* scope, or sequence */
  const int64_t now = tgt_now_ms(), until = now + (int64_t)sqe->cdw11 * 1000;
  uint64_t scope = 0;
  int status = 0;
  if (!is_valid(sqe, key)) {
    return CSD_STATUS_INVALID_FIELD;
  }
  pthread_mutex_lock(&l->lock);
  switch (sqe->cdw10) {
    case CSD_LEASE_ACTION_TAKE_WRITER:
      scope = number;
      status = take_writer(l, h, scope, key, until, now);
      break;
    case CSD_LEASE_ACTION_DROP_WRITER:
      scope = number;
      status = drop_writer(l, h, scope, key, now);
      break;
    case CSD_LEASE_ACTION_TAKE_READER:
      end_readers(l, now);
      status = take_reader(l, h, key, number, until);
      break;
    case CSD_LEASE_ACTION_DROP_READER: drop_reader(l, h, key); break;
    default: break;
  }
  if (status == 0) {
    reply->result = reply->data_bytes = report(l, h->host, scope, now, out);
  }
  pthread_mutex_unlock(&l->lock);
  return status;
}

static bool is_held_by_any(const struct tgt_leases *l, int64_t now) {
  for (uint32_t at = 0; at < l->writer_count; at++) {
    if (is_held(&l->writers[at], now)) {
      return true;
    }
  }
  return false;
}

/* Whether a lease is as its controller knows it, and not in use over another one. */
static bool is_current(const struct tgt_leases *l, const struct tgt_held_lease *held, uint16_t id,
                       int64_t now) {
  const struct tgt_writer_lease *w = &l->writers[held->at];
  return !is_late(l, held) && (w->controller == id || !is_held(w, now));
}

bool tgt_lease_lets_write(struct tgt_leases *l, const struct tgt_held_leases *h) {
  pthread_mutex_lock(&l->lock);
  const int64_t now = tgt_now_ms();
  bool lets = h->count > 0 || (!h->scoped && !is_held_by_any(l, now));
  for (uint32_t i = 0; lets && i < h->count; i++) {
    lets = is_current(l, &h->held[i], h->controller, now);
  }
  pthread_mutex_unlock(&l->lock);
  return lets;
}

void tgt_lease_left(struct tgt_leases *l, const struct tgt_held_leases *h) {
  pthread_mutex_lock(&l->lock);
  const int64_t until = tgt_now_ms() + TGT_ORPHAN_MS;
  for (uint32_t at = 0; at < l->writer_count; at++) {
    struct tgt_writer_lease *w = &l->writers[at];
    if (w->writer != 0 && w->controller == h->controller && w->until_ms > until) {
      w->until_ms = until;
    }
  }
  pthread_mutex_unlock(&l->lock);
}
