/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Plain reads. A depth of n means n requests at the same time. Each begins its next read as soon as
 * its last one has ended.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "csd/csd_model_classic.h"

enum { MAX_READS = 1 << 24, MAX_BYTES = 1 << 20 };

static int refuse(const char *name, uint64_t value, uint64_t least, uint64_t most) {
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "reads: %s is %llu, not %llu to %llu", name,
                  (unsigned long long)value, (unsigned long long)least, (unsigned long long)most);
}

static int check(const struct csd_model_reads *reads) {
  if (reads->count == 0 || reads->count > MAX_READS) {
    return refuse("count", reads->count, 1, MAX_READS);
  }
  if (reads->bytes == 0 || reads->bytes > MAX_BYTES || reads->bytes % CSD_LBA_BYTES != 0) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "reads: bytes is %u, not a multiple of %u to %u",
                    reads->bytes, CSD_LBA_BYTES, (unsigned)MAX_BYTES);
  }
  if (reads->depth == 0 || reads->depth > CSD_MODEL_MAX_LOGS) {
    return refuse("depth", reads->depth, 1, CSD_MODEL_MAX_LOGS);
  }
  if (reads->random && reads->lbas < reads->bytes / CSD_LBA_BYTES) {
    return refuse("lbas", reads->lbas, reads->bytes / CSD_LBA_BYTES, UINT32_MAX);
  }
  return 0;
}

/* splitmix64 (Steele, Lea and Flood, 2014): a counter, mixed. */
static uint64_t random_word(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int record(const struct csd_model_reads *reads, struct csd_model_log *logs) {
  const uint32_t lbas = reads->bytes / CSD_LBA_BYTES;
  uint64_t state = reads->seed;
  int status = 0;
  for (uint32_t i = 0; i < reads->count && status == 0; i++) {
    uint64_t place = i;
    if (reads->random) {
      place = ((random_word(&state) >> 32) * (reads->lbas / lbas)) >> 32;
    }
    if (place * lbas > UINT32_MAX) {
      return refuse("count", reads->count, 1, UINT32_MAX / lbas);
    }
    status = csd_model_log_add(&logs[i % reads->depth], CSD_MODEL_LOAD, (uint32_t)(place * lbas),
                               reads->bytes, NULL);
  }
  for (uint32_t i = 0; i < reads->depth && status == 0; i++) {
    status = csd_model_log_add(&logs[i], CSD_MODEL_END, 0, 0, NULL);
  }
  return status;
}

int csd_model_play_reads(const struct csd_model_profile *profile, enum csd_model_side side,
                         const struct csd_model_reads *reads, struct csd_model_report *total,
                         struct csd_model_trace *trace) {
  int status = check(reads);
  if (status < 0) {
    return status;
  }
  struct csd_model_log *logs = malloc(reads->depth * sizeof *logs);
  const struct csd_model_log **places = malloc(reads->depth * sizeof *places);
  if (logs == NULL || places == NULL) {
    free(logs);
    free(places);
    return csd_fail(CSD_STATUS_NO_MEMORY, "reads: no memory for a depth of %u", reads->depth);
  }
  for (uint32_t i = 0; i < reads->depth; i++) {
    csd_model_log_init(&logs[i], NULL, 0, csd_model_grow, NULL);
    logs[i].bare = true;
    places[i] = &logs[i];
  }
  status = record(reads, logs);
  const struct csd_model_run run = {.profile = profile,
                                    .side = side,
                                    .count = reads->depth,
                                    .logs = places,
                                    .total = total,
                                    .trace = trace};
  if (status == 0) {
    status = csd_model_play(&run);
  }
  for (uint32_t i = 0; i < reads->depth; i++) {
    csd_model_log_free(&logs[i]);
  }
  free(logs);
  free(places);
  return status;
}
