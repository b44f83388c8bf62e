/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Recorded programs: the same answers, the same records on all kernels, and what is in them. */
#include <stdlib.h>

#include "core/lists/page_check.h"
#include "core/program/program.h"
#include "tests/support/check.h"
#include "tests/support/search_world.h"
#include "timing/record.h"

enum { GRANT_BYTES = 1 << 20, RESULT_BYTES = 1 << 20, FIRST_LBA = 50, QUERIES = 150 };
#define DRAM_BYTES (UINT64_C(1) << 30)

static struct search_world *world;
static uint8_t *pages; /* the world's, with what may be read behind them */
static uint8_t *grant, *plain_result, *result;
static uint8_t plan[WORLD_PLAN_BYTES];
static bool has_index;

/* ---- a page source over the world's pages ---- */

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  (void)context, (void)stamp, (void)file_page;
  *page = pages + (lba - FIRST_LBA) * CSD_PAGE_BYTES;
  return 0;
}

static void unpin(void *context, const uint8_t *page) { (void)context, (void)page; }

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  (void)context, (void)stamp, (void)file_page;
  struct csd_page_header header;
  memcpy(&header, pages + (lba - FIRST_LBA) * CSD_PAGE_BYTES, sizeof header);
  *range = csd_page_range_of(&header);
  return has_index;
}

static struct csd_page_source source = {.pin = pin, .unpin = unpin, .peek = peek};

/* Runs the plan; with a recorder, recorded. */
static int run(struct csd_recorder *recorder, uint32_t bytes, uint8_t *to) {
  struct csd_program *program;
  if (recorder != NULL) {
    csd_recorder_start(recorder, &source, DRAM_BYTES, bytes);
    csd_recorder_enter(recorder);
  }
  int status = csd_program_begin(grant, GRANT_BYTES, plan, bytes, to, RESULT_BYTES,
                                 recorder != NULL ? &recorder->source : &source, &program);
  if (status != 0) {
    return status;
  }
  if (recorder != NULL) {
    csd_recorder_watch(recorder, csd_program_work(program));
  }
  do {
    status = csd_program_step(program, 5000);
  } while (status > 0);
  csd_program_end(program);
  if (recorder != NULL) {
    struct csd_result_header header;
    memcpy(&header, to, sizeof header);
    csd_recorder_leave();
    csd_recorder_finish(recorder, header.total_bytes, 0);
  }
  return status;
}

static uint32_t result_bytes(const uint8_t *page) {
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  return header.total_bytes;
}

/* ---- tests ---- */

/* All variants of the kernels, one after the other, beside a run that nobody records. */
static void answers_stay_and_records_are_alike(void) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned variants = csd_kernels_list(list);
  struct csd_recorder first, other;
  REQUIRE_OK(csd_recorder_open(&first));
  REQUIRE_OK(csd_recorder_open(&other));
  uint64_t seed = 7;
  for (int q = 0; q < QUERIES; q++) {
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    has_index = q % 2 == 0;
    source.kernels = list[0];
    REQUIRE_OK(run(&first, bytes, result));
    REQUIRE_OK(first.log.failure);
    CHECK(search_query_check(world, &query, result, result_bytes(result)));
    for (unsigned i = 0; i < variants; i++) {
      source.kernels = list[i];
      has_index = true; /* the record does not tell whether the simulator had it */
      REQUIRE_OK(run(&other, bytes, result));
      REQUIRE_OK(run(NULL, bytes, plain_result));
      CHECK(memcmp((struct csd_result_header *)(void *)result + 1,
                   (struct csd_result_header *)(void *)plain_result + 1,
                   result_bytes(result) - sizeof(struct csd_result_header)) == 0);
      CHECK_EQ(result_bytes(plain_result), result_bytes(result));
      CHECK_MSG(first.log.used == other.log.used &&
                    memcmp(first.log.words, other.log.words, 8 * first.log.used) == 0,
                "query %d: the record of %s differs", q, list[i]->name);
    }
  }
  csd_recorder_close(&other);
  csd_recorder_close(&first);
}

/* Sums over a log. */
struct sums {
  uint64_t events[CSD_MODEL_END + 1];
  uint64_t bytes[CSD_MODEL_END + 1];
  uint64_t work[CSD_MODEL_WORK_SLOTS];
  uint32_t last_kind;
};

static struct sums sums_of(const struct csd_model_log *log) {
  struct sums sums = {0};
  struct csd_model_event event;
  for (size_t at = 0; csd_model_log_next(log, &at, &event);) {
    sums.last_kind = event.kind;
    sums.events[event.kind]++;
    sums.bytes[event.kind] += event.bytes;
    for (uint32_t i = 0; i < event.work_count; i++) {
      sums.work[csd_model_work_kind(event.work[i])] += csd_model_work_units(event.work[i]);
    }
  }
  return sums;
}

static struct search_query query_of(uint8_t mode, uint32_t list) {
  return (struct search_query){.mode = mode,
                               .k = mode == CSD_MODE_TOP_K ? 10 : 0,
                               .term_count = 1,
                               .list = {list},
                               .occur = {CSD_OCCUR_MUST},
                               .weight = {1.5f}};
}

static void a_list_is_loaded_page_by_page_and_decoded_once(void) {
  struct csd_recorder recorder;
  REQUIRE_OK(csd_recorder_open(&recorder));
  source.kernels = csd_kernels_choose();
  for (uint32_t list = 0; list < WORLD_LISTS; list++) {
    const struct csd_list_ref *ref = &world->refs[list];
    if (ref->kind != CSD_LIST_KIND_PAGED) {
      continue;
    }
    const struct search_query query = query_of(CSD_MODE_SCORED_DOCS, list);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    REQUIRE_OK(run(&recorder, bytes, result));
    const struct sums sums = sums_of(&recorder.log);
    const uint32_t blocks = (ref->posting_count + CSD_BLOCK_POSTINGS - 1) / CSD_BLOCK_POSTINGS;
    CHECK_EQ(ref->page_count, sums.events[CSD_MODEL_LOAD]);
    /* Its own pages, and the first ones of the plan's other lists. */
    CHECK(sums.events[CSD_MODEL_READ_AHEAD] >= ref->page_count);
    CHECK(sums.events[CSD_MODEL_READ_AHEAD] < ref->page_count + WORLD_LISTS);
    CHECK_EQ((uint64_t)ref->page_count * CSD_PAGE_BYTES, sums.bytes[CSD_MODEL_LOAD]);
    CHECK_EQ(1, sums.events[CSD_MODEL_SEND]);
    CHECK_EQ(result_bytes(result), sums.bytes[CSD_MODEL_SEND]);
    CHECK_EQ(CSD_MODEL_END, sums.last_kind);
    CHECK_EQ(bytes, recorder.log.opened_bytes);
    CHECK_EQ(ref->page_count, sums.work[CSD_MODEL_WORK_PAGE_OPEN]);
    CHECK_EQ(blocks, sums.work[CSD_MODEL_WORK_BLOCK_OPEN]);
    CHECK_EQ(ref->posting_count, sums.work[CSD_MODEL_WORK_POSTING_SCORE]);
    CHECK_EQ(ref->posting_count, sums.work[CSD_MODEL_WORK_RESULT_TAKE]);
    CHECK(sums.work[CSD_MODEL_WORK_POSTING_DECODE] >= 3 * (uint64_t)ref->posting_count);
    /* Every page is read as a whole for its checksum, and again where the program works. */
    CHECK(sums.work[CSD_MODEL_WORK_DRAM_LINE] > ref->page_count * (CSD_PAGE_BYTES / 64u));
  }
  csd_recorder_close(&recorder);
}

/* The last docs of a term, in a plan that counts its docs and has got a sort part. */
static void sort_keys_are_counted(void) {
  const struct csd_sort_header sort = {.key_count = 1};
  const struct csd_sort_key key = {.kind = CSD_SORT_KIND_DOC, .flags = CSD_SORT_KEY_FLAG_REVERSE};
  struct csd_recorder recorder;
  REQUIRE_OK(csd_recorder_open(&recorder));
  source.kernels = csd_kernels_choose();
  for (uint32_t list = 0; list < WORLD_LISTS; list++) {
    const struct search_query query = query_of(CSD_MODE_COUNT, list);
    uint32_t bytes = search_query_plan(world, &query, plan);
    memcpy(plan + bytes, &sort, sizeof sort);
    memcpy(plan + bytes + sizeof sort, &key, sizeof key);
    bytes += sizeof sort + sizeof key;
    struct csd_plan_header header;
    memcpy(&header, plan, sizeof header);
    header.mode = CSD_MODE_TOP_K_BY_COLUMN;
    header.k = 10;
    header.total_bytes = bytes;
    memcpy(plan, &header, sizeof header);
    REQUIRE_OK(run(&recorder, bytes, result));
    const struct sums sums = sums_of(&recorder.log);
    const uint32_t postings = world->refs[list].posting_count;
    CHECK_EQ(postings, sums.work[CSD_MODEL_WORK_KEY_COMPARE]);
    CHECK_EQ(postings, sums.work[CSD_MODEL_WORK_RESULT_TAKE]); /* each is better than all before */
  }
  csd_recorder_close(&recorder);
}

/* What a program says of its work on columns' values. */
static void aggregated_values_are_counted(void) {
  const struct csd_work work = {.column_values = 700, .aggregate_values = 1400};
  struct csd_recorder recorder;
  REQUIRE_OK(csd_recorder_open(&recorder));
  csd_recorder_start(&recorder, &source, DRAM_BYTES, 0);
  csd_recorder_watch(&recorder, &work);
  csd_recorder_finish(&recorder, 64, 0);
  const struct sums sums = sums_of(&recorder.log);
  CHECK_EQ(700, sums.work[CSD_MODEL_WORK_COLUMN_VALUE]);
  CHECK_EQ(1400, sums.work[CSD_MODEL_WORK_AGGREGATE_VALUE]);
  csd_recorder_close(&recorder);
}

/* Memory of two pages. */
static void pages_that_find_no_room_are_loaded_again(void) {
  struct csd_recorder recorder;
  REQUIRE_OK(csd_recorder_open(&recorder));
  const uint8_t *page;
  csd_recorder_start(&recorder, &source, 2 * CSD_PAGE_BYTES, 0);
  const uint64_t lbas[] = {0, 1, 0, 1, 2, 1, 0, 2};
  for (size_t i = 0; i < sizeof lbas / sizeof lbas[0]; i++) {
    CHECK_OK(recorder.source.pin(&recorder, FIRST_LBA + lbas[i], 0, 0, &page));
    recorder.source.unpin(&recorder, page);
  }
  CHECK_EQ(4, recorder.loads); /* 0, 1, 2 and, as 2 drove it out, 0 */
  CHECK_EQ(8, recorder.pins);
  csd_recorder_close(&recorder);
}

static void a_full_record_fails_and_the_program_does_not(void) {
  struct csd_recorder recorder;
  REQUIRE_OK(csd_recorder_open(&recorder));
  uint64_t words[64];
  csd_model_log_init(&recorder.log, words, sizeof words, NULL, NULL);
  const struct search_query query = query_of(CSD_MODE_DOCS, 0);
  REQUIRE_OK(run(&recorder, search_query_plan(world, &query, plan), result));
  CHECK_EQ(-CSD_STATUS_NO_MEMORY, recorder.log.failure);
  CHECK(search_query_check(world, &query, result, result_bytes(result)));
  csd_recorder_close(&recorder);
}

static void marks_are_found_again_and_bounded(void) {
  struct csd_page_marks set;
  REQUIRE_OK(csd_page_marks_open(&set, 1000));
  for (int round = 0; round < 3; round++) {
    for (uint64_t i = 0; i < 1000; i++) {
      struct csd_page_mark *mark = csd_page_marks_of(&set, i * i * 4099);
      REQUIRE(mark != NULL);
      CHECK_EQ(0, mark->bits);
      mark->bits = (uint32_t)i + 1;
    }
    CHECK(csd_page_marks_of(&set, 7) == NULL);
    for (uint64_t i = 0; i < 1000; i++) {
      CHECK_EQ(i + 1, csd_page_marks_of(&set, i * i * 4099)->bits);
    }
    if (round == 1) {
      set.round = UINT32_MAX; /* wraps; nothing of an old round comes back */
    }
    csd_page_marks_clear(&set);
  }
  csd_page_marks_close(&set);
}

int main(void) {
  world = search_world_make(11, 0x1234, FIRST_LBA);
  pages = calloc(1, (size_t)world->page_count * CSD_PAGE_BYTES + 64);
  grant = aligned_alloc(64, GRANT_BYTES);
  plain_result = malloc(RESULT_BYTES);
  result = malloc(RESULT_BYTES);
  if (pages == NULL || grant == NULL || result == NULL || plain_result == NULL) {
    return 1;
  }
  memcpy(pages, world->pages, (size_t)world->page_count * CSD_PAGE_BYTES);
  source.kernels = csd_kernels_choose();
  has_index = true;
  RUN(answers_stay_and_records_are_alike);
  RUN(a_list_is_loaded_page_by_page_and_decoded_once);
  RUN(sort_keys_are_counted);
  RUN(aggregated_values_are_counted);
  RUN(pages_that_find_no_room_are_loaded_again);
  RUN(a_full_record_fails_and_the_program_does_not);
  RUN(marks_are_found_again_and_bounded);
  free(result), free(plain_result), free(grant), free(pages);
  search_world_free(world);
  return check_result();
}
