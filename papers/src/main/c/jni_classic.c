/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.ClassicModel: recordings of classic programs, played at
 *  will.
 */
#include <stdlib.h>
#include <string.h>

#include "csd/csd_model_classic.h"
#include "jni_program.h"

enum { COUNTS = 10 };

_Static_assert(sizeof(struct csd_classic_counts) == COUNTS * sizeof(jlong), "all counts are longs");

/** Copies a profile out of Java; false if it has another size. */
static bool get_profile(JNIEnv *env, jbyteArray bytes, struct csd_model_profile *profile) {
  if (bytes == NULL || (*env)->GetArrayLength(env, bytes) != (jsize)sizeof *profile) {
    return false;
  }
  (*env)->GetByteArrayRegion(env, bytes, 0, (jsize)sizeof *profile, (jbyte *)profile);
  return true;
}

static jlong refuse_profile(JNIEnv *env, jbyteArray trail) {
  return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                       "profile: not the bytes of one model_profile");
}

static uint32_t room_of(JNIEnv *env, jbyteArray bytes, size_t record_bytes) {
  return bytes == NULL ? 0 : (uint32_t)((size_t)(*env)->GetArrayLength(env, bytes) / record_bytes);
}

JNIEXPORT jint JNICALL
Java_org_luceneoffload_papers_classic_ClassicLibrary_nativeWireVersion(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return (jint)csd_wire_version();
}

/** Runs a workload's request on both sides; returns a handle to the recordings. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativeRecord(
    JNIEnv *env, jclass type, jobject buffer, jbyteArray trail) {
  (void)type;
  struct jni_classic_program program;
  struct csd_classic_workload workload;
  if (!bridge_program(env, buffer, &program, &workload)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the program is too short");
  }
  struct csd_model_classic_pair *const pair = malloc(sizeof *pair);
  if (pair == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  const int status = csd_model_classic_record_workload(
      &workload, (enum csd_classic_operation)program.operation, program.ranked != 0,
      program.swapped != 0, program.memory_bytes, program.host_ranks != 0, pair);
  if (status < 0) {
    bridge_fail(env, trail, status);
    csd_model_classic_free(pair);
    free(pair);
    return status;
  }
  return bridge_handle(pair);
}

JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativeFree(JNIEnv *env,
                                                                                     jclass type,
                                                                                     jlong handle) {
  (void)env;
  (void)type;
  csd_model_classic_free(bridge_pointer(handle));
  free(bridge_pointer(handle));
}

/** Writes the counts of the device and behind them those of the host. */
JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativeCounts(
    JNIEnv *env, jclass type, jlong handle, jlongArray counts) {
  (void)type;
  const struct csd_model_classic_pair *const pair = bridge_pointer(handle);
  if ((*env)->GetArrayLength(env, counts) != 2 * COUNTS) {
    return;
  }
  (*env)->SetLongArrayRegion(env, counts, 0, COUNTS, (const jlong *)&pair->device_counts);
  (*env)->SetLongArrayRegion(env, counts, COUNTS, COUNTS, (const jlong *)&pair->host_counts);
}

/** What one call of the player takes, in memory of the call. */
struct playing {
  struct csd_model_profile profile;
  const struct csd_model_log **logs;
  uint64_t *arrivals;
  uint32_t *first_lbas;
  struct csd_model_report *reports; /* of each request, then the total */
  struct csd_model_trace trace;
  uint32_t count;
};

static bool set_up(JNIEnv *env, struct playing *playing, jlongArray arrivals, jbyteArray trace) {
  const uint32_t count = (uint32_t)(*env)->GetArrayLength(env, arrivals);
  playing->count = count;
  playing->logs = calloc(count + 1, sizeof *playing->logs);
  playing->arrivals = calloc(count + 1, sizeof *playing->arrivals);
  playing->first_lbas = calloc(count + 1, sizeof *playing->first_lbas);
  playing->reports = calloc(count + 1, sizeof *playing->reports);
  playing->trace.room = room_of(env, trace, sizeof *playing->trace.records);
  playing->trace.records = calloc(playing->trace.room + 1, sizeof *playing->trace.records);
  if (playing->logs == NULL || playing->arrivals == NULL || playing->first_lbas == NULL ||
      playing->reports == NULL || playing->trace.records == NULL) {
    return false;
  }
  (*env)->GetLongArrayRegion(env, arrivals, 0, (jsize)count, (jlong *)playing->arrivals);
  return true;
}

static void take_down(struct playing *playing) {
  free(playing->logs);
  free(playing->arrivals);
  free(playing->first_lbas);
  free(playing->reports);
  free(playing->trace.records);
}

/* Each request has lists of its own, back to back; behind the last LBA from the first again. */
static uint32_t first_lba(const struct csd_model_profile *p, uint32_t lbas, uint32_t request) {
  const uint64_t all = (uint64_t)p->flash_channels * p->flash_ways * p->flash_dies *
                       p->flash_planes * p->flash_plane_blocks * p->flash_block_pages *
                       (p->flash_page_bytes / CSD_LBA_BYTES);
  const uint64_t copies = (all < UINT32_MAX ? all : UINT32_MAX) / (lbas > 0 ? lbas : 1);
  return copies == 0 ? 0 : (uint32_t)(request % copies * lbas);
}

static int play(struct playing *playing, const struct csd_model_classic_pair *pair, jint side) {
  for (uint32_t i = 0; i < playing->count; i++) {
    playing->logs[i] = side == CSD_MODEL_SIDE_HOST ? &pair->host : &pair->device;
    playing->first_lbas[i] = first_lba(&playing->profile, pair->lbas, i);
  }
  const struct csd_model_run run = {.profile = &playing->profile,
                                    .side = (enum csd_model_side)side,
                                    .count = playing->count,
                                    .logs = playing->logs,
                                    .arrivals_ps = playing->arrivals,
                                    .first_lbas = playing->first_lbas,
                                    .reports = playing->reports,
                                    .total = &playing->reports[playing->count],
                                    .trace = playing->trace.room > 0 ? &playing->trace : NULL};
  return csd_model_play(&run);
}

/** Hands trace records to Java; returns how many. */
static jlong put_trace(JNIEnv *env, const struct csd_model_trace *trace, jbyteArray bytes) {
  if (trace->count > 0) {
    (*env)->SetByteArrayRegion(env, bytes, 0, (jsize)(trace->count * sizeof *trace->records),
                               (const jbyte *)trace->records);
  }
  return trace->count;
}

/**
 * Plays as many requests of the recording as there are arrivals. `reports` has room for a report of
 * each and of all; `trace`, or null, for the records to keep. Returns the number of these.
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativePlay(
    JNIEnv *env, jclass type, jlong handle, jbyteArray profile, jint side, jlongArray arrivals,
    jbyteArray reports, jbyteArray trace, jbyteArray trail) {
  (void)type;
  struct playing playing = {0};
  if (!get_profile(env, profile, &playing.profile)) {
    return refuse_profile(env, trail);
  }
  const uint32_t room = room_of(env, reports, sizeof *playing.reports);
  jlong result;
  if (!set_up(env, &playing, arrivals, trace)) {
    result = bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  } else if (room != playing.count + 1) {
    result = bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "too little room for reports");
  } else {
    const int status = play(&playing, bridge_pointer(handle), side);
    if (status < 0) {
      result = bridge_fail(env, trail, status);
    } else {
      (*env)->SetByteArrayRegion(env, reports, 0, (jsize)(room * sizeof *playing.reports),
                                 (const jbyte *)playing.reports);
      result = put_trace(env, &playing.trace, trace);
    }
  }
  take_down(&playing);
  return result;
}

/** Plays plain reads; `report` has room for the one of all. Returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativeReads(
    JNIEnv *env, jclass type, jbyteArray profile, jobject buffer, jbyteArray report,
    jbyteArray trail) {
  (void)type;
  struct csd_model_profile values;
  struct csd_model_report total;
  struct jni_classic_reads r;
  if (!bridge_copy(env, buffer, &r, sizeof r)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the reads are too short");
  }
  const struct csd_model_reads reads = {.count = r.count,
                                        .bytes = r.read_bytes,
                                        .depth = r.depth,
                                        .random = r.lbas != 0,
                                        .lbas = r.lbas,
                                        .seed = r.seed};
  if (!get_profile(env, profile, &values)) {
    return refuse_profile(env, trail);
  }
  if (room_of(env, report, sizeof total) != 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no room for the report");
  }
  const int status =
      csd_model_play_reads(&values, (enum csd_model_side)r.side, &reads, &total, NULL);
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  (*env)->SetByteArrayRegion(env, report, 0, (jsize)sizeof total, (const jbyte *)&total);
  return 0;
}

/** Checks a profile. Returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicModel_nativeCheck(
    JNIEnv *env, jclass type, jbyteArray profile, jbyteArray trail) {
  (void)type;
  struct csd_model_profile values;
  if (!get_profile(env, profile, &values)) {
    return refuse_profile(env, trail);
  }
  const int status = csd_profile_check(&values);
  return status < 0 ? bridge_fail(env, trail, status) : 0;
}
