/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "csd/csd.h"
#include "timing/timing.h"

enum { FREE = 0, IDLE = 1, IN_USE = 2, CLOSING = 3, STATE_MASK = 3, GENERATION_SHIFT = 16 };
enum { ALIGNMENT = 64, MEMO_SHARE = 16 };

/* A number is generation << 16 | slot + 1. So the number of a closed session stays unknown. */
static uint32_t number_of(uint32_t slot, uint32_t state) {
  return (state >> GENERATION_SHIFT) << GENERATION_SHIFT | (slot + 1);
}

int csd_sessions_open(struct csd_sessions *sessions, uint32_t limit, uint64_t byte_limit,
                      uint32_t boot) {
  *sessions = (struct csd_sessions){.limit = limit, .byte_limit = byte_limit};
  const size_t bytes = (size_t)limit * sizeof *sessions->slots;
  sessions->slots = aligned_alloc(CSD_SESSION_ALIGNMENT, bytes);
  if (sessions->slots == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "%u sessions", limit);
  }
  memset(sessions->slots, 0, bytes);
  for (uint32_t i = 0; i < limit; i++) {
    atomic_store(&sessions->slots[i].state, boot << GENERATION_SHIFT);
  }
  pthread_mutex_init(&sessions->lock, NULL);
  return 0;
}

void csd_sessions_close(struct csd_sessions *sessions) {
  for (uint32_t i = 0; i < sessions->limit; i++) {
    csd_timing_forget(&sessions->slots[i].modelled);
    free(sessions->slots[i].grant);
  }
  free(sessions->slots);
  sessions->slots = NULL;
  pthread_mutex_destroy(&sessions->lock);
}

static uint32_t result_limit_of(uint32_t grant_bytes) {
  const uint32_t eighth = grant_bytes / 8;
  if (eighth < CSD_MIN_RESULT_BYTES) {
    return CSD_MIN_RESULT_BYTES;
  }
  return eighth > CSD_MAX_RESULT_BYTES ? CSD_MAX_RESULT_BYTES : eighth;
}

/* A small grant is working memory alone. */
static uint32_t memo_bytes_of(uint32_t grant_bytes) {
  if (grant_bytes < CSD_DEFAULT_GRANT_BYTES) {
    return 0;
  }
  return grant_bytes / (ALIGNMENT * MEMO_SHARE) * ALIGNMENT + CSD_SERIES_BYTES;
}

int csd_session_open(struct csd_sessions *sessions, uint32_t grant_bytes, uint32_t *number) {
  if (grant_bytes == 0) {
    grant_bytes = CSD_DEFAULT_GRANT_BYTES;
  }
  if (grant_bytes < CSD_MIN_GRANT_BYTES || grant_bytes > CSD_MAX_GRANT_BYTES) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "OPEN: a grant of %u bytes, not %u to %u",
                    grant_bytes, CSD_MIN_GRANT_BYTES, CSD_MAX_GRANT_BYTES);
  }
  grant_bytes = grant_bytes / (ALIGNMENT * 8) * (ALIGNMENT * 8);
  uint8_t *grant = aligned_alloc(ALIGNMENT, grant_bytes);
  if (grant == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "OPEN: a grant of %u bytes", grant_bytes);
  }
  const uint32_t memo_bytes = memo_bytes_of(grant_bytes);
  struct csd_column_memo memo = {0};
  struct csd_series series = {0};
  if (memo_bytes > 0) {
    csd_column_memo_open(&memo, grant + (grant_bytes - memo_bytes), memo_bytes - CSD_SERIES_BYTES);
    csd_series_open(&series, grant + (grant_bytes - CSD_SERIES_BYTES), CSD_SERIES_BYTES);
  }
  bool found = false;
  pthread_mutex_lock(&sessions->lock);
  const bool full = sessions->open_count == sessions->limit;
  const uint64_t left = sessions->byte_limit - sessions->bytes;
  for (uint32_t i = 0; i < sessions->limit && !full && grant_bytes <= left; i++) {
    const uint32_t at = (sessions->hint + i) % sessions->limit;
    struct csd_session *session = &sessions->slots[at];
    const uint32_t state = atomic_load(&session->state);
    if ((state & STATE_MASK) != FREE) {
      continue;
    }
    session->grant = grant;
    session->result_limit = result_limit_of(grant_bytes);
    session->memo_bytes = memo_bytes;
    session->memo = memo;
    session->series = series;
    session->work_bytes = grant_bytes - session->result_limit - memo_bytes;
    session->result_bytes = 0;
    session->number = number_of(at, state);
    *number = session->number;
    atomic_store(&session->state, state | IDLE);
    sessions->open_count++;
    sessions->bytes += grant_bytes;
    sessions->hint = (at + 1) % sessions->limit;
    found = true;
    break;
  }
  pthread_mutex_unlock(&sessions->lock);
  if (found) {
    return 0;
  }
  free(grant);
  if (!full) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "OPEN: a grant of %u bytes exceeds what is left: %llu",
                    grant_bytes, (unsigned long long)left);
  }
  return csd_fail(CSD_STATUS_TOO_MANY_SESSIONS, "OPEN: all %u sessions are open", sessions->limit);
}

/* Changes the state of an idle session. */
static int change(struct csd_sessions *sessions, uint32_t number, uint32_t to,
                  struct csd_session **session) {
  const uint32_t slot = (number & 0xFFFFu) - 1;
  if (slot < sessions->limit) {
    struct csd_session *found = &sessions->slots[slot];
    uint32_t state = atomic_load(&found->state);
    const bool ours = number_of(slot, state) == number;
    if (ours && (state & STATE_MASK) == IDLE) {
      const uint32_t next = (state & ~(uint32_t)STATE_MASK) | to;
      if (atomic_compare_exchange_strong(&found->state, &state, next)) {
        *session = found;
        return 0;
      }
    }
    /* Looks again, as another thread may have closed it. */
    if (number_of(slot, state) == number &&
        ((state & STATE_MASK) == IN_USE || (state & STATE_MASK) == IDLE)) {
      return csd_fail(CSD_STATUS_BUSY, "session %u runs another command", number);
    }
  }
  return csd_fail(CSD_STATUS_NO_SESSION, "session %u is not open", number);
}

int csd_session_close(struct csd_sessions *sessions, uint32_t number) {
  struct csd_session *session;
  const int status = change(sessions, number, CLOSING, &session);
  if (status < 0) {
    return status;
  }
  csd_timing_forget(&session->modelled);
  pthread_mutex_lock(&sessions->lock);
  free(session->grant);
  session->grant = NULL;
  sessions->open_count--;
  sessions->bytes -= (uint64_t)session->work_bytes + session->result_limit + session->memo_bytes;
  const uint32_t generation = (atomic_load(&session->state) >> GENERATION_SHIFT) + 1;
  atomic_store(&session->state, generation << GENERATION_SHIFT | FREE);
  pthread_mutex_unlock(&sessions->lock);
  return 0;
}

int csd_session_acquire(struct csd_sessions *sessions, uint32_t number,
                        struct csd_session **session) {
  return change(sessions, number, IN_USE, session);
}

void csd_session_release(struct csd_session *session) {
  const uint32_t state = atomic_load_explicit(&session->state, memory_order_relaxed);
  atomic_store(&session->state, (state & ~(uint32_t)STATE_MASK) | IDLE);
}

struct csd_session *csd_session_find(struct csd_sessions *sessions, uint32_t number) {
  const uint32_t slot = (number & 0xFFFFu) - 1;
  if (slot >= sessions->limit) {
    return NULL;
  }
  struct csd_session *found = &sessions->slots[slot];
  const uint32_t state = atomic_load(&found->state);
  const bool open = (state & STATE_MASK) == IDLE || (state & STATE_MASK) == IN_USE;
  return open && number_of(slot, state) == number ? found : NULL;
}

uint32_t csd_sessions_open_count(struct csd_sessions *sessions) {
  pthread_mutex_lock(&sessions->lock);
  const uint32_t count = sessions->open_count;
  pthread_mutex_unlock(&sessions->lock);
  return count;
}
