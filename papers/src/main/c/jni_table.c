/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.TableStore: a device that holds tables, and scans. */
#include <stdlib.h>

#include "csd/csd_table.h"
#include "jni_structs.h"
#include "jni_support.h"

enum { QUERIES = 8, MAX_PATH = 4096 };

struct store {
  struct csd_device *device;
  struct csd_queue *queue;
};

static int open_store(const char *path, struct store *store) {
  const struct csd_device_options options = {.path = path};
  int status = csd_device_open(&options, &store->device);
  if (status < 0) {
    return status;
  }
  status = csd_queue_create(store->device, 1, &store->queue);
  if (status < 0) {
    csd_device_close(store->device);
  }
  return status;
}

/** Opens a device over the file of that path; returns a handle to it. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_TableStore_nativeOpen(
    JNIEnv *env, jclass type, jbyteArray path, jbyteArray trail) {
  (void)type;
  char text[MAX_PATH + 1] = {0};
  const jsize bytes = (*env)->GetArrayLength(env, path);
  if (bytes > MAX_PATH) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the path is too long");
  }
  (*env)->GetByteArrayRegion(env, path, 0, bytes, (jbyte *)text);
  struct store *const store = calloc(1, sizeof *store);
  if (store == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  const int status = open_store(text, store);
  if (status < 0) {
    free(store);
    return bridge_fail(env, trail, status);
  }
  return bridge_handle(store);
}

JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_TableStore_nativeClose(JNIEnv *env,
                                                                                    jclass type,
                                                                                    jlong handle) {
  (void)env;
  (void)type;
  struct store *const store = bridge_pointer(handle);
  csd_queue_destroy(store->queue);
  csd_device_close(store->device);
  free(store);
}

static struct csd_table table_of(const struct jni_table_scan *scan) {
  return (struct csd_table){
      .columns = scan->columns, .layout = (enum csd_table_layout)scan->layout, .rows = scan->rows};
}

/** Writes the table that the struct describes. Returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_TableStore_nativeWrite(
    JNIEnv *env, jclass type, jlong handle, jobject buffer, jbyteArray trail) {
  (void)type;
  struct jni_table_scan scan;
  if (!bridge_copy(env, buffer, &scan, sizeof scan)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the table is too short");
  }
  const struct csd_table table = table_of(&scan);
  const int status = csd_table_write(((struct store *)bridge_pointer(handle))->queue, &table);
  return status < 0 ? bridge_fail(env, trail, status) : 0;
}

/** Says how many pages a table has, and how many rows a page. Returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_TableStore_nativeShape(
    JNIEnv *env, jclass type, jobject buffer, jbyteArray trail) {
  (void)type;
  struct jni_table_scan *const scan = (void *)bridge_range(env, buffer, 0, sizeof *scan);
  if (scan == NULL || scan->columns < CSD_TABLE_MIN_COLUMNS ||
      scan->columns > CSD_TABLE_MAX_COLUMNS) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no table of 2 to 64 columns");
  }
  const struct csd_table table = table_of(scan);
  scan->pages = csd_table_pages(&table);
  scan->page_rows = csd_table_page_rows(scan->columns);
  return 0;
}

static void free_logs(struct csd_table_run *runs) {
  for (uint32_t i = 0; i < QUERIES; i++) {
    if (runs[i].log != NULL) {
      csd_model_log_free(runs[i].log);
      free(runs[i].log);
    }
  }
}

static bool make_logs(struct csd_table_run *runs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    runs[i].log = malloc(sizeof *runs[i].log);
    if (runs[i].log == NULL) {
      return false;
    }
    csd_model_log_init(runs[i].log, NULL, 0, csd_model_grow, NULL);
  }
  return true;
}

/** Scans the table for all queries of the struct, which is told the answers. Returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_TableStore_nativeScan(
    JNIEnv *env, jclass type, jlong handle, jobject buffer, jbyteArray trail) {
  (void)type;
  struct jni_table_scan *const scan = (void *)bridge_range(env, buffer, 0, sizeof *scan);
  struct csd_table_run runs[QUERIES] = {0};
  if (scan == NULL || scan->count > QUERIES) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no scan of 1 to 8 queries");
  }
  if (!make_logs(runs, scan->count)) {
    free_logs(runs);
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  for (uint32_t i = 0; i < scan->count; i++) {
    runs[i].query = (struct csd_table_query){.bound = scan->bounds[i], .sums = scan->sums[i] != 0};
  }
  const struct csd_table table = table_of(scan);
  const int status = csd_table_scan(((struct store *)bridge_pointer(handle))->queue, &table,
                                    (enum csd_model_side)scan->side, runs, scan->count);
  if (status < 0) {
    free_logs(runs);
    return bridge_fail(env, trail, status);
  }
  for (uint32_t i = 0; i < scan->count; i++) {
    scan->matches[i] = runs[i].found.matches;
    scan->totals[i] = runs[i].found.sum;
    scan->logs[i] = (uint64_t)bridge_handle(runs[i].log);
  }
  return 0;
}
