/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "timing/record.h"

#include <string.h>

#include "base/lazy_memory.h"
#include "base/status.h"
#include "core/columns/page/stored_page.h"

/* Bits of a page's mark: whether the program has prefetched it; the number of its last load, 0 if
   it was not loaded. */
#define HINTED UINT32_C(0x80000000)
#define LOAD_NUMBER UINT32_C(0x7FFFFFFF)

/*
 * Bytes that the program streams from device memory, besides packed columns:
 *   opening a posting page      its header and the start of its directory
 *   entering a posting block    its directory entry, last doc and impacts
 *   stepping over a block       its last doc
 *   a look at the page index    an entry
 *   a posting by its position   parts of two columns
 *   a position                  its value
 * A page that comes from flash is read once as a whole, for its checksum.
 */
enum {
  LINE_BYTES = 64,
  PAGE_OPEN_BYTES = 128,
  BLOCK_ENTRY_BYTES = 32,
  BLOCK_STEP_BYTES = 4,
  INDEX_ENTRY_BYTES = 64,
  GATHER_BYTES = 24,
  GATHER_VALUES = 2, /* freq and norm */
  POSITION_BYTES = 2
};

/* Sums up all work so far. */
static void sum_up(const struct csd_recorder *r, uint64_t work[CSD_MODEL_WORK_SLOTS]) {
  static const struct csd_work none;
  const struct csd_work *w = r->work != NULL ? r->work : &none;
  const struct csd_tally *t = &r->tally;
  const uint64_t bytes =
      t->bytes_streamed + r->pins * PAGE_OPEN_BYTES + r->looks * INDEX_ENTRY_BYTES +
      (uint64_t)w->blocks_entered * BLOCK_ENTRY_BYTES +
      (uint64_t)w->blocks_stepped * BLOCK_STEP_BYTES + w->postings_gathered * GATHER_BYTES +
      w->positions_decoded * POSITION_BYTES + r->loads * CSD_PAGE_BYTES;
  work[CSD_MODEL_WORK_PAGE_OPEN] = r->pins;
  work[CSD_MODEL_WORK_BLOCK_OPEN] = w->blocks_entered;
  work[CSD_MODEL_WORK_BLOCK_SKIP] = w->blocks_stepped;
  work[CSD_MODEL_WORK_POSTING_DECODE] =
      t->values_decoded + w->postings_gathered * GATHER_VALUES + w->positions_decoded;
  work[CSD_MODEL_WORK_POSTING_SEARCH] = t->docs_searched + w->docs_ranked + r->looks;
  work[CSD_MODEL_WORK_POSTING_SCORE] = t->postings_scored;
  work[CSD_MODEL_WORK_BITMAP_WORD] = t->bitmap_words;
  work[CSD_MODEL_WORK_RESULT_TAKE] = w->results_taken;
  work[CSD_MODEL_WORK_DRAM_LINE] = bytes / LINE_BYTES;
  work[CSD_MODEL_WORK_KEY_COMPARE] = w->keys_compared;
  work[CSD_MODEL_WORK_COLUMN_VALUE] = w->column_values;
  work[CSD_MODEL_WORK_AGGREGATE_VALUE] = w->aggregate_values;
}

/* Adds an event. If the log is full, the program goes on, and playing the log fails. */
static void add_event(struct csd_recorder *r, enum csd_model_event_kind kind, uint64_t page,
                      uint64_t bytes) {
  uint64_t now[CSD_MODEL_WORK_SLOTS] = {0};
  uint64_t since[CSD_MODEL_WORK_SLOTS];
  if (r->log.failure < 0) {
    return;
  }
  sum_up(r, now);
  for (unsigned i = 0; i < CSD_MODEL_WORK_SLOTS; i++) {
    since[i] = now[i] - r->told[i];
    r->told[i] = now[i];
  }
  if (page > UINT32_MAX) {
    r->log.failure = csd_fail(CSD_STATUS_OUT_OF_RANGE, "the model knows no LBA beyond 2^32");
    return;
  }
  csd_model_log_add(&r->log, kind, (uint32_t)page, bytes, since);
}

static struct csd_page_mark *mark_of(struct csd_recorder *r, uint64_t lba) {
  struct csd_page_mark *mark = csd_page_marks_of(&r->pages, lba);
  if (mark == NULL && r->log.failure == 0) {
    r->log.failure = csd_fail(CSD_STATUS_NO_MEMORY, "the model keeps no more than %u pages apart",
                              r->pages.limit);
  }
  return mark;
}

static bool is_resident(const struct csd_recorder *r, const struct csd_page_mark *mark) {
  const uint32_t number = mark->bits & LOAD_NUMBER;
  return number != 0 && r->loads - number < r->dram_pages;
}

static int source_pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                      const uint8_t **page) {
  struct csd_recorder *r = context;
  const int status = r->inner->pin(r->inner->context, lba, stamp, file_page, page);
  if (status < 0) {
    return status;
  }
  struct csd_page_mark *mark = mark_of(r, lba);
  if (mark != NULL) {
    r->in_order = (mark->bits & HINTED) != 0;
    if (!is_resident(r, mark)) {
      add_event(r, CSD_MODEL_LOAD, lba, CSD_PAGE_BYTES);
      mark->bits = (mark->bits & HINTED) | ((uint32_t)++r->loads & LOAD_NUMBER);
    }
  }
  r->pins++; /* after the event: work on the page follows its load */
  return 0;
}

static void source_unpin(void *context, const uint8_t *page) {
  const struct csd_recorder *r = context;
  r->inner->unpin(r->inner->context, page);
}

/* The modelled device keeps its page index over a restart; the simulator builds it page by page. So
   this reads a page that the index lacks, without recording it: a second run then equals the first.
 */
static bool source_peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                        struct csd_page_range *range) {
  struct csd_recorder *r = context;
  const struct csd_page_source *inner = r->inner;
  const uint8_t *page;
  r->looks++;
  if (inner->peek(inner->context, lba, stamp, file_page, range)) {
    return true;
  }
  if (inner->pin(inner->context, lba, stamp, file_page, &page) < 0) {
    return false;
  }
  *range = csd_stored_page_of(page).range;
  inner->unpin(inner->context, page);
  return true;
}

/* A prefetch costs the simulator nothing, but a device a flash read. So the recorder reads ahead
   the first page of each list, and later only a page behind one that was prefetched itself: a
   program that jumps does not read the pages in between. */
static void source_prefetch(void *context, uint64_t lba) {
  struct csd_recorder *r = context;
  if (r->inner->prefetch != NULL) {
    r->inner->prefetch(r->inner->context, lba);
  }
  struct csd_page_mark *mark = mark_of(r, lba);
  if (mark == NULL) {
    return;
  }
  if ((r->pins == 0 || r->in_order) && (mark->bits & HINTED) == 0 && !is_resident(r, mark)) {
    add_event(r, CSD_MODEL_READ_AHEAD, lba, CSD_PAGE_BYTES);
  }
  mark->bits |= HINTED;
}

static const uint64_t *source_doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  struct csd_recorder *r = context;
  return r->inner->doc_bits(r->inner->context, resource, doc_count);
}

int csd_recorder_open(struct csd_recorder *recorder) {
  *recorder = (struct csd_recorder){0};
  const int status = csd_page_marks_open(&recorder->pages, CSD_RECORD_PAGES);
  if (status < 0) {
    return status;
  }
  recorder->log_memory = csd_lazy_alloc(1, CSD_RECORD_LOG_BYTES);
  if (recorder->log_memory == NULL) {
    csd_page_marks_close(&recorder->pages);
    return csd_fail(CSD_STATUS_NO_MEMORY, "a record for the model");
  }
  csd_model_log_init(&recorder->log, recorder->log_memory, CSD_RECORD_LOG_BYTES, NULL, NULL);
  return 0;
}

void csd_recorder_close(struct csd_recorder *recorder) {
  csd_lazy_free(recorder->log_memory, 1, CSD_RECORD_LOG_BYTES);
  csd_page_marks_close(&recorder->pages);
}

void csd_recorder_start(struct csd_recorder *recorder, const struct csd_page_source *inner,
                        uint64_t dram_bytes, uint32_t plan_bytes) {
  recorder->inner = inner;
  recorder->kernels = csd_counting_kernels(inner->kernels);
  recorder->tally = (struct csd_tally){.kernels = inner->kernels};
  recorder->source = (struct csd_page_source){.context = recorder,
                                              .kernels = &recorder->kernels,
                                              .pin = source_pin,
                                              .unpin = source_unpin,
                                              .peek = source_peek,
                                              .prefetch = source_prefetch,
                                              .doc_bits = source_doc_bits};
  recorder->work = NULL;
  recorder->dram_pages = dram_bytes / CSD_PAGE_BYTES;
  recorder->pins = 0;
  recorder->loads = 0;
  recorder->looks = 0;
  recorder->in_order = false;
  memset(recorder->told, 0, sizeof recorder->told);
  csd_page_marks_clear(&recorder->pages);
  csd_model_log_clear(&recorder->log);
  recorder->log.opened_bytes = plan_bytes;
}

void csd_recorder_watch(struct csd_recorder *recorder, const struct csd_work *work) {
  recorder->work = work;
}

void csd_recorder_enter(struct csd_recorder *recorder) { csd_tally_set(&recorder->tally); }

void csd_recorder_leave(void) { csd_tally_set(NULL); }

void csd_recorder_task(struct csd_recorder *recorder, uint64_t lba, uint64_t bytes,
                       const uint64_t work[CSD_MODEL_WORK_SLOTS], int filtered) {
  struct csd_model_log *log = &recorder->log;
  if (lba > UINT32_MAX) {
    log->failure = csd_fail(CSD_STATUS_OUT_OF_RANGE, "the model knows no LBA beyond 2^32");
    return;
  }
  csd_model_log_add(log, CSD_MODEL_TASK, (uint32_t)lba, bytes, work);
  if (filtered >= 0) {
    csd_model_log_add(log, CSD_MODEL_TASK_REST, 0, (uint64_t)filtered, NULL);
  }
}

void csd_recorder_finish(struct csd_recorder *recorder, uint32_t result_bytes, uint32_t ranked) {
  recorder->tally.bytes_streamed += result_bytes; /* the program has written them to memory, too */
  add_event(recorder, CSD_MODEL_SEND, 0, result_bytes);
  if (ranked > 0) {
    add_event(recorder, CSD_MODEL_RANK, 0, ranked);
  }
  add_event(recorder, CSD_MODEL_END, 0, 0);
}
