/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Kills a device at every write to its store and to its page index, also in the middle of one, and
 * while it rebuilds what another kill left undone. After each, exactly the entries that are noted
 * as pending are rebuilt, and the index tells of each page that the store holds and of no other.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/lists/page_check.h"
#include "csd/csd.h"
#include "device/index/page_index.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/column_builder.h"
#include "tests/support/page/lists.h"
#include "tests/support/page/page_builder.h"
#include "tests/support/scratch.h"

enum { GROUPS = 3, USED = 60, VERSIONS = 3, LBAS = GROUPS * CSD_GROUP_LBAS, OPERATIONS = 40 };
enum { KILLED = 9 };

/* The system calls that change files: the one whose turn it is does half of its work and kills. */
static int64_t calls_left = INT64_MAX;

static bool killed_here(void) { return --calls_left < 0; }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  if (killed_here()) {
    (void)!syscall(SYS_pwrite64, file, bytes, count / 2, at);
    _exit(KILLED);
  }
  return syscall(SYS_pwrite64, file, bytes, count, at);
}

int fallocate(int file, int mode, off_t at, off_t count) {
  if (killed_here()) {
    _exit(KILLED);
  }
  return (int)syscall(SYS_fallocate, file, mode, at, count);
}

/* The pages that are written: `USED` LBAs of each group, each in some versions. */
static uint8_t pages[GROUPS][VERSIONS][USED][CSD_PAGE_BYTES];

/* A page of a column with a few keywords of 50, which the index knows by its parts. */
static void make_column_page(uint64_t *seed, uint64_t stamp, uint32_t file_page, uint8_t *page) {
  enum { DOCS = 100 };
  uint32_t docs[DOCS], first[DOCS + 1];
  int64_t values[DOCS], keywords[4];
  for (uint32_t i = 0; i < 4; i++) {
    keywords[i] = check_random_below(seed, 50);
  }
  for (uint32_t i = 0; i < DOCS; i++) {
    first[i] = i;
    docs[i] = file_page * DOCS + i;
    values[i] = keywords[check_random_below(seed, 4)];
  }
  first[DOCS] = DOCS;
  struct column_builder b;
  struct csd_column_ref ref;
  column_builder_init(&b, *seed, stamp, file_page);
  column_builder_add(&b, &(struct test_column){DOCS, DOCS, docs, first, values}, &ref);
  memcpy(page, b.pages, CSD_PAGE_BYTES);
  column_builder_free(&b);
}

static void make_pages(void) {
  uint64_t seed = 1;
  for (uint32_t g = 0; g < GROUPS; g++) {
    for (uint32_t v = 0; v < VERSIONS; v++) {
      for (uint32_t i = 0; i < USED; i++) {
        if ((i / 5 + v) % 2 == 0) {
          make_column_page(&seed, v + 1, g * CSD_GROUP_LBAS + i, pages[g][v][i]);
          continue;
        }
        struct test_list list = test_list_random(&seed, 60, 9);
        struct page_builder b;
        struct csd_list_ref ref;
        page_builder_init(&b, v + 1, g * CSD_GROUP_LBAS + i);
        page_builder_add(&b, list.docs, list.freqs, list.norms, list.count, &ref);
        page_builder_finish(&b);
        memcpy(pages[g][v][i], b.pages, CSD_PAGE_BYTES);
        page_builder_free(&b);
        test_list_free(&list);
      }
    }
  }
}

static struct csd_device *open_device(void) {
  const struct csd_device_options options = {.path = scratch_path("store"),
                                             .capacity_bytes = LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 1,
                                             .index_bytes = 1};
  struct csd_device *device;
  return csd_device_open(&options, &device) == 0 ? device : NULL;
}

/* What a host does: writes pages, other bytes and trims, flushes, and closes the device at last. */
static void work(struct csd_device *device, uint64_t seed) {
  struct csd_queue *queue = client_queue(device);
  static const uint8_t no_page[4 * CSD_LBA_BYTES] = "no page";
  for (int i = 0; i < OPERATIONS; i++) {
    const uint32_t g = check_random_below(&seed, GROUPS), at = check_random_below(&seed, USED);
    const uint32_t lba = g * CSD_GROUP_LBAS + at, room = USED - at;
    const uint32_t count = 1 + check_random_below(&seed, room < 12 ? room : 12);
    switch (check_random_below(&seed, 8)) {
      case 0: client_trim(queue, lba, count); break;
      case 1: client_write(queue, lba, no_page, count < 4 ? count : 4); break;
      case 2:
        client_run(queue, &(struct csd_submission){.opcode = CSD_OPCODE_FLUSH, .nsid = 1});
        break;
      case 3:
        if (check_random_below(&seed, 4) == 0) {
          client_trim(queue, g * CSD_GROUP_LBAS, CSD_GROUP_LBAS);
        }
        break;
      default: client_write(queue, lba, pages[g][check_random_below(&seed, VERSIONS)][at], count);
    }
  }
  csd_device_close(device);
  csd_queue_destroy(queue);
}

/* Runs a child that is killed at its call `call`. Returns whether it was. */
static bool run_child(int64_t call, uint64_t seed, bool works) {
  const pid_t child = fork();
  if (child == 0) {
    calls_left = call;
    struct csd_device *device = open_device();
    if (device != NULL && works) {
      work(device, seed);
    }
    _exit(device != NULL ? 0 : 1);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == KILLED || WEXITSTATUS(status) == 0));
  return WIFEXITED(status) && WEXITSTATUS(status) == KILLED;
}

static void remove_files(void) {
  char index[600];
  snprintf(index, sizeof index, "%.500s.idx", scratch_path("store"));
  unlink(index);
  unlink(scratch_path("store"));
}

/* Number of entries that the file of the index notes as pending, or lost with a damaged page. */
static uint64_t pending_in_file(struct csd_store *store) {
  static struct csd_index_group group;
  struct csd_index_file file;
  uint8_t page[CSD_INDEX_PAGE_BYTES];
  uint64_t pending = 0;
  csd_index_file_open(&file, store, false);
  for (uint64_t n = 0; file.file >= 0 && n < file.groups; n++) {
    CHECK_OK(csd_index_file_read(&file, n, page));
    (void)csd_index_decode(page, n, &group);
    for (uint32_t w = 0; w < CSD_GROUP_WORDS; w++) {
      pending += (uint64_t)__builtin_popcountll(group.pending[w]);
    }
  }
  csd_index_file_close(&file, false);
  return csd_store_used_lbas(store) > 0 ? pending : 0; /* the index of an empty store is emptied */
}

static uint64_t with_parts; /* entries that were right and had parts */

/* Number of LBAs of which the index tells something else than what the store holds. */
static uint32_t wrong_entries(struct csd_store *store, struct csd_page_index *index) {
  uint32_t wrong = 0;
  uint8_t bytes[CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES] = {0};
  for (uint32_t lba = 0; lba < LBAS; lba++) {
    CHECK_OK(csd_store_read(store, lba, 1, bytes));
    struct csd_stored_page held;
    const bool is_page = csd_stored_page_read(bytes, &held);
    for (uint64_t stamp = 1; stamp <= VERSIONS; stamp++) {
      struct csd_page_range range;
      const bool known = csd_page_index_peek(index, lba, stamp, lba, &range);
      const bool there = is_page && held.stamp == stamp;
      wrong += known != there || (known && (range.lead_first_doc != held.range.lead_first_doc ||
                                            range.lead_last_doc != held.range.lead_last_doc ||
                                            range.parts != held.range.parts));
      with_parts += known && range.parts != 0;
    }
  }
  return wrong;
}

/* Opens the files that a kill left behind, as the next writer does. */
static void check_files(int64_t call) {
  struct csd_store store;
  struct csd_page_index index;
  REQUIRE_OK(csd_store_open(&store, scratch_path("store"), LBAS, CSD_STORE_WRITE));
  const uint64_t pending = pending_in_file(&store);
  REQUIRE_OK(csd_page_index_open(&index, LBAS, 1));
  csd_page_index_attach(&index, &store, true);
  CHECK_MSG(index.rebuilt.complete && index.rebuilt.entries == pending,
            "call %lld: %llu entries rebuilt, %llu pending", (long long)call,
            (unsigned long long)index.rebuilt.entries, (unsigned long long)pending);
  const uint32_t wrong = wrong_entries(&store, &index);
  CHECK_MSG(wrong == 0, "call %lld: %u entries are wrong", (long long)call, wrong);
  csd_page_index_close(&index);
  csd_store_close(&store);
}

static void a_kill_at_any_write(void) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    bool killed = true;
    for (int64_t call = 0; killed && check_failures == 0; call++) {
      remove_files();
      killed = run_child(call, seed, true);
      if (call % 3 == 0) { /* again, while what was left undone is rebuilt */
        for (int64_t again = 0; run_child(again, 0, false) && again < 20; again++) {
        }
      }
      check_files(call);
    }
    CHECK(!killed);
  }
}

/* A second run over what the first has written and closed. */
static void a_kill_over_older_pages(void) {
  for (int64_t call = 0; check_failures == 0; call += 2) {
    remove_files();
    CHECK(!run_child(INT64_MAX, 11, true));
    const bool killed = run_child(call, 12, true);
    check_files(call);
    if (!killed) {
      return;
    }
  }
}

int main(void) {
  make_pages();
  RUN(a_kill_at_any_write);
  RUN(a_kill_over_older_pages);
  CHECK(with_parts > 1000);
  return check_result();
}
