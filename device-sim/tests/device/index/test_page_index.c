/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/index/page_index.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

static struct csd_stored_page page_of(uint64_t stamp, uint32_t page, uint32_t tag) {
  return (struct csd_stored_page){
      .stamp = stamp,
      .file_page = page,
      .range = {.lead_first_doc = tag, .lead_last_doc = tag + 1, .lead_impacts = tag + 2}};
}

/* Of a column: parts of 40 values from `tag` on. */
static struct csd_stored_page column_of(uint64_t stamp, uint32_t page, uint32_t tag) {
  return (struct csd_stored_page){.stamp = stamp,
                                  .file_page = page,
                                  .range = {.lead_first_doc = tag | CSD_PAGE_RANGE_COLUMN,
                                            .lead_last_doc = tag,
                                            .lead_impacts = (tag + 39ull) << 32 | tag,
                                            .parts = UINT64_C(1) << 39 | (tag % 1000 << 1) | 1}};
}

static bool is_column_of(const struct csd_page_range *range, uint32_t tag) {
  const struct csd_stored_page page = column_of(0, 0, tag);
  return memcmp(range, &page.range, sizeof *range) == 0;
}

static void an_entry_answers_its_own_page_only(void) {
  struct csd_page_index index;
  struct csd_page_range range;
  REQUIRE_OK(csd_page_index_open(&index, 1000, 0));
  CHECK(!csd_page_index_peek(&index, 7, 0, 0, &range));
  const struct csd_stored_page page = page_of(5, 6, 70);
  csd_page_index_put(&index, 7, &page);
  REQUIRE(csd_page_index_peek(&index, 7, 5, 6, &range));
  CHECK_EQ(70, range.lead_first_doc);
  CHECK_EQ(71, range.lead_last_doc);
  CHECK_EQ(72, range.lead_impacts);
  CHECK(!csd_page_index_peek(&index, 7, 5, 7, &range));
  CHECK(!csd_page_index_peek(&index, 7, 4, 6, &range));
  CHECK(!csd_page_index_peek(&index, 8, 5, 6, &range));
  CHECK(!csd_page_index_peek(&index, 1000, 5, 6, &range));
  CHECK(!csd_page_index_peek(&index, UINT64_MAX, 5, 6, &range));
  csd_page_index_clear(&index, 7);
  CHECK(!csd_page_index_peek(&index, 7, 5, 6, &range));
  csd_page_index_put(&index, 7, &page);
  CHECK(csd_page_index_peek(&index, 7, 5, 6, &range));
  csd_page_index_close(&index);
}

static struct csd_page_index shared;
static atomic_bool stop;

static void *change(void *unused) {
  (void)unused;
  for (uint32_t i = 0; i < 200000; i++) {
    const struct csd_stored_page page = column_of(1, 1, i * 16);
    csd_page_index_put(&shared, 3, &page);
  }
  atomic_store(&stop, true);
  return NULL;
}

static void a_torn_entry_is_never_seen(void) {
  REQUIRE_OK(csd_page_index_open(&shared, 10, 0));
  pthread_t writer;
  REQUIRE(pthread_create(&writer, NULL, change, NULL) == 0);
  uint64_t seen = 0, torn = 0;
  do {
    struct csd_page_range range;
    if (!csd_page_index_peek(&shared, 3, 1, 1, &range)) {
      continue;
    }
    seen++;
    torn += !is_column_of(&range, range.lead_last_doc);
  } while (!atomic_load(&stop) || seen == 0);
  pthread_join(writer, NULL);
  CHECK_EQ(0, torn);
  csd_page_index_close(&shared);
}

enum { LBAS = 64 * CSD_GROUP_LBAS };

static struct csd_store store;

static const char *index_path(const char *name) {
  static char path[600];
  snprintf(path, sizeof path, "%.500s.idx", scratch_path(name));
  return path;
}

static uint64_t bytes_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

/* Opens the index of a store, which is not empty. */
static bool open_index(struct csd_page_index *index, const char *name, bool writing) {
  const enum csd_store_access access = writing ? CSD_STORE_WRITE : CSD_STORE_READ;
  if (!CHECK_OK(csd_store_open(&store, scratch_path(name), LBAS, access))) {
    return false;
  }
  if (writing) {
    CHECK_OK(csd_store_write(&store, 0, 1, (const uint8_t[CSD_LBA_BYTES]){1}));
  }
  CHECK_OK(csd_page_index_open(index, LBAS, 0)); /* a cache of two groups */
  csd_page_index_attach(index, &store, writing);
  return true;
}

static void close_index(struct csd_page_index *index) {
  csd_page_index_close(index);
  csd_store_close(&store);
}

static void put_all(struct csd_page_index *index, uint64_t stamp) {
  for (uint32_t lba = 0; lba < LBAS; lba++) {
    const struct csd_written page = {true, page_of(stamp, lba, lba % 1000)};
    csd_page_index_begin(index, lba, 1);
    csd_page_index_written(index, lba, 1, &page);
  }
}

static uint32_t known_of(struct csd_page_index *index, uint64_t stamp) {
  uint32_t known = 0;
  for (uint32_t lba = 0; lba < LBAS; lba++) {
    struct csd_page_range range;
    if (csd_page_index_peek(index, lba, stamp, lba, &range)) {
      known += range.lead_first_doc == lba % 1000 && range.lead_last_doc == lba % 1000 + 1;
    }
  }
  return known;
}

static void entries_outlive_cache_and_process(void) {
  struct csd_page_index index;
  if (!open_index(&index, "outlive", true)) {
    return;
  }
  put_all(&index, 3);
  CHECK_EQ(LBAS, known_of(&index, 3)); /* 32 times as many as the cache holds */
  close_index(&index);
  /* FLIXR's index takes at most 0.2 % of the pages. */
  CHECK(bytes_of(index_path("outlive")) <= CSD_LBA_BYTES + (uint64_t)LBAS * CSD_LBA_BYTES / 500);
  for (int writing = 0; writing < 2; writing++) {
    if (open_index(&index, "outlive", writing != 0)) {
      CHECK_EQ(LBAS, known_of(&index, 3));
      CHECK_EQ(0, index.rebuilt.entries);
      close_index(&index);
    }
  }
}

static uint32_t known_columns(struct csd_page_index *index) {
  uint32_t known = 0;
  for (uint32_t lba = 0; lba < LBAS; lba++) {
    struct csd_page_range range;
    known += csd_page_index_peek(index, lba, 4, lba, &range) && is_column_of(&range, lba);
  }
  return known;
}

static void parts_outlive_cache_and_process(void) {
  struct csd_page_index index;
  if (!open_index(&index, "parts", true)) {
    return;
  }
  enum { AT_ONCE = 200 }; /* some of which reach into the next group */
  static struct csd_written pages[AT_ONCE];
  for (uint32_t lba = 0; lba < LBAS; lba += AT_ONCE) {
    const uint32_t count = LBAS - lba < AT_ONCE ? LBAS - lba : AT_ONCE;
    for (uint32_t i = 0; i < count; i++) {
      pages[i] = (struct csd_written){true, column_of(4, lba + i, lba + i)};
    }
    csd_page_index_begin(&index, lba, count);
    csd_page_index_written(&index, lba, count, pages);
  }
  CHECK_EQ(LBAS, known_columns(&index));
  close_index(&index);
  CHECK(bytes_of(index_path("parts")) <= CSD_LBA_BYTES + (uint64_t)LBAS * CSD_LBA_BYTES / 500);
  if (open_index(&index, "parts", false)) {
    CHECK_EQ(LBAS, known_columns(&index));
    close_index(&index);
  }
}

static void trimmed_entries_are_gone_for_good(void) {
  struct csd_page_index index;
  if (!open_index(&index, "trim", true)) {
    return;
  }
  put_all(&index, 3);
  csd_page_index_trimmed(&index, 0, 0);
  CHECK_EQ(LBAS, known_of(&index, 3));
  csd_page_index_trimmed(&index, 700, 5000);
  CHECK_EQ(LBAS - 5000, known_of(&index, 3));
  csd_page_index_flush(&index);
  CHECK_EQ(LBAS - 5000, known_of(&index, 3));
  close_index(&index);
  if (open_index(&index, "trim", true)) {
    CHECK_EQ(LBAS - 5000, known_of(&index, 3));
    csd_page_index_trimmed(&index, 0, LBAS);
    CHECK_EQ(0, known_of(&index, 3));
    close_index(&index);
  }
}

static void what_a_reader_loads_is_kept_by_the_writer_that_it_becomes(void) {
  struct csd_page_index index;
  const struct csd_stored_page page = page_of(8, 9, 10);
  struct csd_page_range range;
  if (!open_index(&index, "becomes", true)) {
    return;
  }
  close_index(&index);
  if (!open_index(&index, "becomes", false)) {
    return;
  }
  csd_page_index_put(&index, 100, &page);
  csd_page_index_flush(&index); /* a reader writes nothing */
  csd_store_close(&store);
  REQUIRE_OK(csd_store_open(&store, scratch_path("becomes"), LBAS, CSD_STORE_WRITE));
  csd_page_index_attach(&index, &store, true);
  CHECK(csd_page_index_peek(&index, 100, 8, 9, &range));
  close_index(&index);
  if (open_index(&index, "becomes", false)) {
    CHECK(csd_page_index_peek(&index, 100, 8, 9, &range));
    close_index(&index);
  }
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
}

/* A damaged index page costs its entries; those of pages that are loaded again are kept. */
static void a_damaged_index_page_heals(void) {
  struct csd_page_index index;
  if (!open_index(&index, "damaged", true)) {
    return;
  }
  put_all(&index, 3);
  close_index(&index);
  FILE *file = fopen(index_path("damaged"), "r+");
  REQUIRE(file != NULL && fseek(file, 5 * CSD_INDEX_PAGE_BYTES + 2000, SEEK_SET) == 0);
  fputs("scratch", file);
  fclose(file);
  if (open_index(&index, "damaged", true)) {
    CHECK_EQ(LBAS - CSD_GROUP_LBAS, known_of(&index, 3));
    const uint32_t lba = 4 * CSD_GROUP_LBAS + 17;
    const struct csd_stored_page page = page_of(3, lba, lba % 1000);
    csd_page_index_put(&index, lba, &page);
    close_index(&index);
  }
  if (open_index(&index, "damaged", false)) {
    CHECK_EQ(LBAS - CSD_GROUP_LBAS + 1, known_of(&index, 3));
    close_index(&index);
  }
}

/* A page that is loaded needs no entry while its group is on the store alone, and does not bring it
   into the cache. Once the group is cached, what it lacks is told. */
static void a_load_leaves_an_index_page_on_the_store(void) {
  struct csd_page_index index;
  struct csd_page_range range;
  if (!open_index(&index, "left", true)) {
    return;
  }
  const struct csd_stored_page page = page_of(3, 20, 4), other = page_of(3, 21, 5);
  csd_page_index_put(&index, 20, &page);
  CHECK(csd_page_index_has(&index, 20, 3, 20));
  CHECK(!csd_page_index_has(&index, 21, 3, 21));
  CHECK(!csd_page_index_has(&index, LBAS - 1, 3, 20)); /* the file does not reach so far */
  CHECK(!csd_page_index_has(&index, LBAS, 3, 20));
  close_index(&index);
  if (open_index(&index, "left", false)) {
    CHECK(csd_page_index_has(&index, 20, 3, 20));
    CHECK(csd_page_index_has(&index, 21, 3, 21));
    CHECK_EQ(0, index.touched);
    CHECK(csd_page_index_peek(&index, 20, 3, 20, &range));
    CHECK_EQ(1, index.touched);
    CHECK(csd_page_index_has(&index, 20, 3, 20));
    CHECK(!csd_page_index_has(&index, 21, 3, 21));
    csd_page_index_put(&index, 21, &other);
    CHECK(csd_page_index_has(&index, 21, 3, 21));
    close_index(&index);
  }
}

static void files_of_others_are_left_alone(void) {
  struct csd_page_index index;
  write_file(index_path("others"), "somebody's notes");
  if (!open_index(&index, "others", true)) {
    return;
  }
  put_all(&index, 3);
  CHECK_EQ(2 * CSD_GROUP_LBAS, known_of(&index, 3)); /* what the cache holds */
  close_index(&index);
  CHECK_EQ(16, bytes_of(index_path("others")));
}

static void the_index_of_an_emptied_store_is_emptied(void) {
  struct csd_page_index index;
  if (!open_index(&index, "emptied", true)) {
    return;
  }
  put_all(&index, 3);
  close_index(&index);
  CHECK(truncate(scratch_path("emptied"), 0) == 0);
  REQUIRE_OK(csd_store_open(&store, scratch_path("emptied"), LBAS, CSD_STORE_WRITE));
  CHECK_OK(csd_page_index_open(&index, LBAS, 0));
  csd_page_index_attach(&index, &store, true);
  CHECK_EQ(0, known_of(&index, 3));
  CHECK(bytes_of(index_path("emptied")) < CSD_INDEX_PAGE_BYTES);
  close_index(&index);
}

static void two_writers_do_not_share_a_file(void) {
  struct csd_page_index index, other;
  struct csd_page_range range;
  if (!open_index(&index, "two", true)) {
    return;
  }
  CHECK_OK(csd_page_index_open(&other, LBAS, 0));
  csd_page_index_attach(&other, &store, true); /* its file is locked: it lives in memory */
  const struct csd_stored_page page = page_of(1, 2, 3);
  csd_page_index_put(&other, 5, &page);
  CHECK(csd_page_index_peek(&other, 5, 1, 2, &range));
  csd_page_index_close(&other);
  CHECK(!csd_page_index_peek(&index, 5, 1, 2, &range));
  close_index(&index);
}

enum { THREADS = 4, LOOKS = 30000 };

/* Looks up and loads entries all over a store whose cache holds a part of them. */
static void *look_everywhere(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  for (int i = 0; i < LOOKS; i++) {
    const uint32_t lba = check_random_below(&seed, LBAS);
    struct csd_page_range range;
    if (csd_page_index_peek(&shared, lba, 3, lba, &range)) {
      CHECK(range.lead_first_doc == lba % 1000 && range.lead_last_doc == lba % 1000 + 1);
    } else {
      const struct csd_stored_page page = page_of(3, lba, lba % 1000);
      csd_page_index_put(&shared, lba, &page);
    }
    if (check_random_below(&seed, 1000) == 0) {
      csd_page_index_flush(&shared);
    }
  }
  return NULL;
}

static void threads_share_a_cache_that_is_too_small(void) {
  if (!open_index(&shared, "threads", true)) {
    return;
  }
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    REQUIRE(pthread_create(&threads[i], NULL, look_everywhere, (void *)(i + 1)) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  const uint32_t known = known_of(&shared, 3);
  CHECK(known > LBAS / 2);
  close_index(&shared);
  if (open_index(&shared, "threads", false)) {
    CHECK_EQ(known, known_of(&shared, 3));
    close_index(&shared);
  }
}

int main(void) {
  RUN(an_entry_answers_its_own_page_only);
  RUN(a_torn_entry_is_never_seen);
  RUN(entries_outlive_cache_and_process);
  RUN(parts_outlive_cache_and_process);
  RUN(trimmed_entries_are_gone_for_good);
  RUN(what_a_reader_loads_is_kept_by_the_writer_that_it_becomes);
  RUN(a_damaged_index_page_heals);
  RUN(a_load_leaves_an_index_page_on_the_store);
  RUN(files_of_others_are_left_alone);
  RUN(the_index_of_an_emptied_store_is_emptied);
  RUN(two_writers_do_not_share_a_file);
  RUN(threads_share_a_cache_that_is_too_small);
  return check_result();
}
