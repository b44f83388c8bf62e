/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Sessions: the memory in which plans run. To open a session allocates its grant; to run a plan
 * allocates nothing. One command at a time uses a session, on any queue.
 */
#ifndef CSD_SESSION_H
#define CSD_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "core/columns/page/column_facts.h"
#include "device/session/series.h"

#define CSD_MAX_SESSIONS 65535u
#define CSD_DEFAULT_SESSIONS 1024u

/* Two cache lines: threads that run plans at the same time write to their own sessions. */
#define CSD_SESSION_ALIGNMENT 128

struct csd_session {
  /* generation << 16 | one of the states in session.c */
  _Alignas(CSD_SESSION_ALIGNMENT) _Atomic uint32_t state;
  uint32_t number; /* by which the host knows it, while open */
  uint8_t *grant;  /* working memory, then the result page, then the memo */
  uint32_t work_bytes;
  uint32_t result_limit;
  struct csd_column_memo memo;   /* behind the result page; no facts: there is none */
  struct csd_series series;      /* its scores are behind the memo's facts */
  uint32_t memo_bytes;           /* of both */
  uint32_t result_bytes;         /* of its current result page; 0: none */
  struct csd_modelled *modelled; /* the model's record of its last program; NULL: none */
  struct csd_task *task;         /* at the end of the working memory; NULL: none. Guarded by the
                                    lock of csd_tasks. A session that has one is in use */
};

struct csd_sessions {
  struct csd_session *slots;
  uint32_t limit;
  uint32_t open_count;        /* guarded by lock, as is opening */
  uint64_t bytes, byte_limit; /* of all grants; guarded by lock */
  uint32_t hint;              /* where to look for a free slot first */
  pthread_mutex_t lock;
};

/** @param byte_limit  of all grants together. @return 0, or -NO_MEMORY */
int csd_sessions_open(struct csd_sessions *sessions, uint32_t limit, uint64_t byte_limit,
                      uint32_t boot);
/** Frees all sessions; none may be in use. */
void csd_sessions_close(struct csd_sessions *sessions);

/**
 * Opens a session.
 *
 * @param grant_bytes  CSD_MIN_GRANT_BYTES to CSD_MAX_GRANT_BYTES; 0: the default
 * @param number       set to its number, never 0
 * @return 0, or a negated status: INVALID_FIELD, TOO_MANY_SESSIONS, NO_MEMORY
 */
int csd_session_open(struct csd_sessions *sessions, uint32_t grant_bytes, uint32_t *number);

/** Closes a session. @return 0, or a negated status: NO_SESSION, BUSY */
int csd_session_close(struct csd_sessions *sessions, uint32_t number);

/** Acquires a session for one command. @return 0, or a negated status: NO_SESSION, BUSY */
int csd_session_acquire(struct csd_sessions *sessions, uint32_t number,
                        struct csd_session **session);
void csd_session_release(struct csd_session *session);

/** The open session of that number, in use or not; NULL: there is none. */
struct csd_session *csd_session_find(struct csd_sessions *sessions, uint32_t number);

/** Where the result page of a session is. */
static inline uint8_t *csd_session_result(const struct csd_session *session) {
  return session->grant + session->work_bytes;
}

uint32_t csd_sessions_open_count(struct csd_sessions *sessions);

#endif
