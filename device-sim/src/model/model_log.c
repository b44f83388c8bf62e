/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * A log is an array of 64-bit words. An event has a head of two words: kind in bits 0..7, number of
 * work words in bits 8..15 and address in bits 32..63 of the first; its bytes in the second. One
 * word follows for each kind of work: kind in bits 56..63, units below.
 */
#include <stdlib.h>

#include "base/status.h"
#include "csd/csd_model.h"

enum { HEAD_WORDS = 2, FIRST_WORDS = 512, UNIT_BITS = 56 };

void *csd_model_grow(void *context, void *memory, size_t bytes) {
  (void)context;
  if (bytes > 0) {
    return realloc(memory, bytes);
  }
  free(memory);
  return NULL;
}

void csd_model_log_init(struct csd_model_log *log, void *memory, size_t bytes,
                        void *(*grow)(void *context, void *memory, size_t bytes), void *context) {
  *log = (struct csd_model_log){.words = grow == NULL ? memory : NULL,
                                .room = grow == NULL ? bytes / sizeof(uint64_t) : 0,
                                .grow = grow,
                                .context = context};
}

void csd_model_log_clear(struct csd_model_log *log) {
  log->used = 0;
  log->opened_bytes = 0;
  log->events = 0;
  log->ended = false;
  log->failure = 0;
}

void csd_model_log_free(struct csd_model_log *log) {
  if (log->grow != NULL && log->words != NULL) {
    log->words = log->grow(log->context, log->words, 0);
    log->room = 0;
  }
  csd_model_log_clear(log);
}

static bool has_room(struct csd_model_log *log, size_t words) {
  if (words <= log->room - log->used) {
    return true;
  }
  if (log->grow == NULL || log->room > SIZE_MAX / 32) {
    return false;
  }
  const size_t room = log->room == 0 ? FIRST_WORDS : 2 * log->room;
  uint64_t *grown = log->grow(log->context, log->words, room * sizeof(uint64_t));
  if (grown == NULL) {
    return false; /* as with realloc, the old memory stays */
  }
  log->words = grown;
  log->room = room;
  return true;
}

static int fail(struct csd_model_log *log, int status) { return log->failure = status; }

int csd_model_log_add(struct csd_model_log *log, enum csd_model_event_kind kind, uint32_t address,
                      uint64_t bytes, const uint64_t work[CSD_MODEL_WORK_SLOTS]) {
  if (log->failure < 0) {
    return log->failure;
  }
  if ((unsigned)kind > CSD_MODEL_END || log->ended) {
    return fail(
        log, csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model log: event %u of kind %u%s",
                      (unsigned)log->events, (unsigned)kind, log->ended ? " behind the end" : ""));
  }
  if (!has_room(log, HEAD_WORDS + CSD_MODEL_WORK_SLOTS)) {
    return fail(log,
                csd_fail(CSD_STATUS_NO_MEMORY, "model log: no room for event %llu in %zu bytes",
                         (unsigned long long)log->events, log->room * sizeof(uint64_t)));
  }
  uint64_t *words = log->words + log->used;
  uint64_t count = 0;
  for (uint64_t i = 0; work != NULL && i < CSD_MODEL_WORK_SLOTS; i++) {
    if (work[i] == 0) {
      continue;
    }
    if (work[i] >> UNIT_BITS != 0) {
      return fail(
          log,
          csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model log: %llu units of work %u in event %llu",
                   (unsigned long long)work[i], (unsigned)i, (unsigned long long)log->events));
    }
    words[HEAD_WORDS + count++] = i << UNIT_BITS | work[i];
  }
  words[0] = (uint64_t)address << 32 | count << 8 | (uint64_t)kind;
  words[1] = bytes;
  log->used += HEAD_WORDS + (size_t)count;
  log->events++;
  log->ended = kind == CSD_MODEL_END;
  return 0;
}

bool csd_model_log_next(const struct csd_model_log *log, size_t *at,
                        struct csd_model_event *event) {
  if (*at >= log->used) {
    return false;
  }
  const uint64_t *words = log->words + *at;
  *event = (struct csd_model_event){.kind = (enum csd_model_event_kind)(words[0] & 0xFF),
                                    .address = (uint32_t)(words[0] >> 32),
                                    .bytes = words[1],
                                    .work_count = (uint32_t)(words[0] >> 8 & 0xFF),
                                    .work = words + HEAD_WORDS};
  *at += HEAD_WORDS + event->work_count;
  return true;
}
