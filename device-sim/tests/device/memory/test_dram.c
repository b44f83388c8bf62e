/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <pthread.h>
#include <stdlib.h>

#include "csd/csd.h"
#include "device/memory/dram.h"
#include "tests/support/check.h"
#include "tests/support/page/lists.h"
#include "tests/support/page/page_builder.h"
#include "tests/support/scratch.h"

enum { LBAS = 4096, FRAMES = 16 };

static struct csd_store store;
static struct csd_page_index page_index;
static struct csd_dram dram;
static struct csd_dram_counts counts;

/* Opens a device memory of 16 frames over an empty store. */
static bool open_all(const char *name) {
  memset(&counts, 0, sizeof counts);
  return CHECK_OK(csd_store_open(&store, scratch_path(name), LBAS, CSD_STORE_WRITE)) &&
         CHECK_OK(csd_page_index_open(&page_index, LBAS, 1 << 20)) &&
         CHECK_OK(csd_dram_open(&dram, FRAMES * CSD_FRAME_BYTES, &store, &page_index));
}

/* Pins on all frames. */
static uint64_t pins(void) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < dram.frame_count; i++) {
    count += dram.frames[i].state & CSD_FRAME_PINS;
  }
  return count;
}

static void close_all(void) {
  CHECK_EQ(0, pins());
  csd_dram_close(&dram);
  csd_page_index_close(&page_index);
  csd_store_close(&store);
}

/* A page that belongs to file `stamp`, number `file_page`. */
static void make_page(uint64_t stamp, uint32_t file_page, uint8_t *page) {
  uint64_t seed = stamp * 1000 + file_page;
  struct test_list list = test_list_random(&seed, 200, 9);
  struct page_builder b;
  struct csd_list_ref ref;
  page_builder_init(&b, stamp, file_page);
  page_builder_add(&b, list.docs, list.freqs, list.norms, list.count, &ref);
  page_builder_finish(&b);
  memcpy(page, b.pages, CSD_PAGE_BYTES);
  page_builder_free(&b);
  test_list_free(&list);
}

/* Writes as the WRITE command does. */
static void write_page(uint64_t lba, uint64_t stamp, uint32_t file_page) {
  uint8_t page[CSD_PAGE_BYTES];
  make_page(stamp, file_page, page);
  const struct csd_written written = {true, csd_stored_page_of(page)};
  CHECK_OK(csd_store_write(&store, lba, 1, page));
  csd_dram_rewritten(&dram, lba, 1, &written);
}

static int pin(uint64_t lba, uint64_t stamp, uint32_t file_page, const uint8_t **page) {
  return csd_dram_pin(&dram, lba, stamp, file_page, page, &counts);
}

static void a_page_is_loaded_once(void) {
  if (!open_all("once")) {
    return;
  }
  write_page(5, 1, 9);
  const uint8_t *page, *again;
  uint8_t expected[CSD_PAGE_BYTES];
  make_page(1, 9, expected);
  REQUIRE_OK(pin(5, 1, 9, &page));
  CHECK(memcmp(page, expected, CSD_PAGE_BYTES) == 0);
  REQUIRE_OK(pin(5, 1, 9, &again));
  CHECK(page == again);
  CHECK_EQ(2, pins());
  csd_dram_unpin(&dram, page);
  csd_dram_unpin(&dram, again);
  CHECK_EQ(1, counts.loads);
  CHECK_EQ(1, counts.hits);
  close_all();
}

static void bad_pages_are_refused(void) {
  if (!open_all("bad")) {
    return;
  }
  const uint8_t *page;
  write_page(5, 1, 9);
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, pin(LBAS, 1, 9, &page));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, pin(UINT64_MAX, 1, 9, &page));
  CHECK_STATUS(CSD_STATUS_PAGE_STALE, pin(5, 2, 9, &page));
  CHECK_STATUS(CSD_STATUS_PAGE_STALE, pin(5, 1, 10, &page));
  CHECK(strstr(csd_last_error(), "LBA 5") != NULL);
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, pin(6, 1, 9, &page)); /* never written */
  uint8_t bytes[CSD_PAGE_BYTES];
  make_page(1, 9, bytes);
  bytes[200] ^= 1;
  CHECK_OK(csd_store_write(&store, 7, 1, bytes));
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, pin(7, 1, 9, &page));
  for (int i = 0; i < 100; i++) {
    CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, pin(7, 1, 9, &page));
  }
  REQUIRE_OK(pin(5, 1, 9, &page)); /* refusals have cost no frame */
  csd_dram_unpin(&dram, page);
  CHECK_EQ(104, counts.rejects);
  close_all();
}

static bool pin_again(uint64_t lba, const uint8_t *page, uint64_t place) {
  return csd_dram_pin_again(&dram, lba, page, place, &counts);
}

/* A page is pinned where it was as long as its frame holds it, and under its own LBA alone. */
static void a_page_is_pinned_where_it_was(void) {
  if (!open_all("again")) {
    return;
  }
  const uint8_t *page, *other;
  for (uint32_t i = 0; i < 2 * FRAMES; i++) {
    write_page(i, 1, i);
  }
  REQUIRE_OK(pin(5, 1, 5, &page));
  const uint64_t place = csd_dram_place_of(&dram, page);
  CHECK(pin_again(5, page, place)); /* a second use: a third would keep it from leaving */
  CHECK_EQ(2, pins());
  csd_dram_unpin(&dram, page);
  csd_dram_unpin(&dram, page);
  CHECK_EQ(1, counts.hits);
  CHECK(!pin_again(6, page, place));
  CHECK(!pin_again(5, page, place + 1));
  CHECK(!pin_again(5, page + CSD_FRAME_BYTES, place));
  for (uint32_t i = 0; i < 2 * FRAMES; i++) {
    if (i != 5) {
      REQUIRE_OK(pin(i, 1, i, &other)); /* takes every frame in turn */
      csd_dram_unpin(&dram, other);
    }
  }
  CHECK(!pin_again(5, page, place));
  REQUIRE_OK(pin(5, 1, 5, &page));
  const uint64_t now = csd_dram_place_of(&dram, page);
  csd_dram_unpin(&dram, page);
  CHECK(pin_again(5, page, now)); /* though nobody has it pinned */
  csd_dram_unpin(&dram, page);
  write_page(5, 2, 5);
  CHECK(!pin_again(5, page, now));
  CHECK_EQ(0, pins());
  close_all();
}

static void spare_pins_leave_frames(void) {
  struct csd_dram some = {.frame_count = CSD_MIN_FRAMES};
  CHECK_EQ(0, csd_dram_spare_pins(&some));
  some.frame_count = 3 * CSD_FRAMES_PER_SPARE_PIN;
  CHECK_EQ(3, csd_dram_spare_pins(&some));
  some.frame_count = UINT32_MAX;
  CHECK_EQ(CSD_MAX_SPARE_PINS, csd_dram_spare_pins(&some));
}

static void pinned_bytes_outlive_a_rewrite(void) {
  if (!open_all("rewrite")) {
    return;
  }
  uint8_t old_bytes[CSD_PAGE_BYTES], new_bytes[CSD_PAGE_BYTES];
  const uint8_t *old_page, *new_page;
  make_page(1, 1, old_bytes);
  make_page(2, 1, new_bytes);
  write_page(3, 1, 1);
  REQUIRE_OK(pin(3, 1, 1, &old_page));
  write_page(3, 2, 1);
  CHECK(memcmp(old_page, old_bytes, CSD_PAGE_BYTES) == 0);
  REQUIRE_OK(pin(3, 2, 1, &new_page));
  CHECK(new_page != old_page);
  CHECK(memcmp(new_page, new_bytes, CSD_PAGE_BYTES) == 0);
  CHECK(memcmp(old_page, old_bytes, CSD_PAGE_BYTES) == 0);
  /* Neither loads nor the clock may take the old frame. */
  for (uint32_t i = 100; i < 200; i++) {
    const uint8_t *page;
    write_page(i, 3, i);
    REQUIRE_OK(pin(i, 3, i, &page));
    csd_dram_unpin(&dram, page);
  }
  CHECK(memcmp(old_page, old_bytes, CSD_PAGE_BYTES) == 0);
  csd_dram_trimmed(&dram, 0, LBAS);
  CHECK(memcmp(new_page, new_bytes, CSD_PAGE_BYTES) == 0);
  csd_dram_unpin(&dram, old_page);
  csd_dram_unpin(&dram, new_page);
  close_all();
}

static void pages_are_evicted_but_never_pinned_ones(void) {
  if (!open_all("evict")) {
    return;
  }
  const uint8_t *held[FRAMES], *page;
  for (uint32_t i = 0; i < 3 * FRAMES; i++) {
    write_page(i, 1, i);
  }
  for (uint32_t i = 0; i < FRAMES; i++) {
    REQUIRE_OK(pin(i, 1, i, &held[i]));
  }
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, pin(FRAMES, 1, FRAMES, &page));
  csd_dram_unpin(&dram, held[4]);
  REQUIRE_OK(pin(FRAMES, 1, FRAMES, &page));
  CHECK(page == held[4]);
  CHECK_EQ(1, counts.evictions);
  csd_dram_unpin(&dram, page);
  for (uint32_t i = 0; i < FRAMES; i++) {
    if (i == 4) {
      continue;
    }
    CHECK_EQ(i, csd_page_header_of(held[i]).file_page);
    csd_dram_unpin(&dram, held[i]);
  }
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 3 * FRAMES; i++) {
      REQUIRE_OK(pin(i, 1, i, &page));
      CHECK_EQ(i, csd_page_header_of(page).file_page);
      csd_dram_unpin(&dram, page);
    }
  }
  close_all();
}

/* Writes bytes of which the device is not told. */
static void alter(uint64_t lba, const uint8_t *bytes) {
  CHECK_OK(csd_store_write(&store, lba, 1, bytes));
}

/* Loads other pages until a page has left, and so many more that it counts as new. */
static void flood(uint64_t lba) {
  static uint32_t other = 100;
  for (int left = 2 * FRAMES; left > 0 && other < LBAS; other++) {
    const uint8_t *page;
    write_page(other, 7, other);
    REQUIRE_OK(pin(other, 7, other, &page));
    csd_dram_unpin(&dram, page);
    left -= !csd_dram_prefetch(&dram, lba, false);
  }
  CHECK(!csd_dram_prefetch(&dram, lba, false));
}

/* A page is checked in full once; when it comes back, its bytes have to be the same. */
static void a_page_that_comes_back_is_known(void) {
  if (!open_all("back")) {
    return;
  }
  const uint8_t *page;
  uint8_t bytes[CSD_PAGE_BYTES], other[CSD_PAGE_BYTES];
  write_page(5, 1, 9);
  REQUIRE_OK(pin(5, 1, 9, &page));
  csd_dram_unpin(&dram, page);
  flood(5);
  CHECK_EQ(0, counts.reloads);
  REQUIRE_OK(pin(5, 1, 9, &page));
  csd_dram_unpin(&dram, page);
  CHECK_EQ(1, counts.reloads);
  /* Damage. */
  make_page(1, 9, bytes);
  memcpy(other, bytes, sizeof other);
  other[CSD_PAGE_BYTES - 1] ^= 0x80;
  flood(5);
  alter(5, other);
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, pin(5, 1, 9, &page));
  /* The same bytes again: the refusal has not made them strange. */
  alter(5, bytes);
  REQUIRE_OK(pin(5, 1, 9, &page));
  csd_dram_unpin(&dram, page);
  CHECK_EQ(2, counts.reloads);
  /* Another valid page of the same stamp and number is checked in full, and is right. */
  struct page_builder b;
  struct csd_list_ref ref;
  uint64_t seed = 3;
  struct test_list list = test_list_random(&seed, 150, 5);
  page_builder_init(&b, 1, 9);
  page_builder_add(&b, list.docs, list.freqs, list.norms, list.count, &ref);
  page_builder_finish(&b);
  flood(5);
  alter(5, b.pages);
  REQUIRE_OK(pin(5, 1, 9, &page));
  CHECK(memcmp(page, b.pages, CSD_PAGE_BYTES) == 0);
  csd_dram_unpin(&dram, page);
  CHECK_EQ(2, counts.reloads);
  page_builder_free(&b);
  test_list_free(&list);
  close_all();
}

/* Whoever writes the file can make the checksum fit: the page is checked all the same. */
static void a_checksum_alone_convinces_nobody(void) {
  if (!open_all("forged")) {
    return;
  }
  const uint8_t *page;
  uint8_t bytes[CSD_PAGE_BYTES];
  write_page(5, 1, 9);
  REQUIRE_OK(pin(5, 1, 9, &page));
  csd_dram_unpin(&dram, page);
  flood(5);
  make_page(1, 9, bytes);
  struct csd_page_header header;
  memcpy(&header, bytes, sizeof header);
  header.block_count = UINT16_MAX; /* a directory beyond the end */
  memcpy(bytes, &header, sizeof header);
  page_builder_seal(bytes); /* its checksum */
  alter(5, bytes);
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, pin(5, 1, 9, &page));
  CHECK_EQ(0, counts.reloads);
  close_all();
}

/* Another process may write the file under a reader: the cached page is then read once more. */
static void a_cached_page_is_read_again_before_it_is_stale(void) {
  if (!open_all("foreign")) {
    return;
  }
  const uint8_t *page;
  uint8_t bytes[CSD_PAGE_BYTES];
  write_page(5, 1, 9);
  REQUIRE_OK(pin(5, 1, 9, &page));
  csd_dram_unpin(&dram, page);
  make_page(2, 4, bytes);
  CHECK_OK(csd_store_write(&store, 5, 1, bytes)); /* the device is not told */
  REQUIRE_OK(pin(5, 1, 9, &page));                /* still cached */
  csd_dram_unpin(&dram, page);
  REQUIRE_OK(pin(5, 2, 4, &page));
  CHECK(memcmp(page, bytes, CSD_PAGE_BYTES) == 0);
  csd_dram_unpin(&dram, page);
  CHECK_EQ(2, counts.loads);
  CHECK_STATUS(CSD_STATUS_PAGE_STALE, pin(5, 1, 9, &page));
  close_all();
}

static void the_index_follows(void) {
  if (!open_all("index")) {
    return;
  }
  struct csd_page_range range;
  uint8_t bytes[CSD_PAGE_BYTES];
  const uint8_t *page;
  write_page(5, 1, 9);
  CHECK(csd_page_index_peek(&page_index, 5, 1, 9, &range));
  csd_dram_rewritten(&dram, 5, 1, &(struct csd_written){.is_page = false});
  CHECK(!csd_page_index_peek(&page_index, 5, 1, 9, &range));
  make_page(1, 2, bytes);
  CHECK_OK(csd_store_write(&store, 6, 1, bytes));
  CHECK(!csd_page_index_peek(&page_index, 6, 1, 2, &range));
  REQUIRE_OK(pin(6, 1, 2, &page)); /* a load builds the entry too */
  csd_dram_unpin(&dram, page);
  REQUIRE(csd_page_index_peek(&page_index, 6, 1, 2, &range));
  CHECK_EQ(csd_page_header_of(bytes).lead_last_doc, range.lead_last_doc);
  csd_dram_trimmed(&dram, 0, LBAS);
  CHECK(!csd_page_index_peek(&page_index, 6, 1, 2, &range));
  close_all();
}

enum { THREADS = 8, HOT_PAGES = 40, ROUNDS = 1500 };

/* Pins pages of generations that writers replace meanwhile; what is pinned must be what was asked
   for and stay so. */
static void *hammer(void *argument) {
  uint64_t seed = (uint64_t)(uintptr_t)argument;
  struct csd_dram_counts mine = {0};
  uint8_t expected[CSD_PAGE_BYTES];
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t at = check_random_below(&seed, HOT_PAGES);
    const uint64_t stamp = 1 + check_random_below(&seed, 3);
    const uint8_t *page;
    if (check_random_below(&seed, 20) == 0) {
      write_page(at, stamp, at);
      continue;
    }
    const int status = csd_dram_pin(&dram, at, stamp, at, &page, &mine);
    if (status != 0) {
      /* Corrupt: read while it was half written. */
      CHECK(status == -CSD_STATUS_PAGE_STALE || status == -CSD_STATUS_PAGE_CORRUPT);
      continue;
    }
    make_page(stamp, at, expected);
    CHECK(memcmp(page, expected, CSD_PAGE_BYTES) == 0);
    csd_dram_unpin(&dram, page);
  }
  return NULL;
}

static void many_threads_pin_write_and_evict(void) {
  if (!open_all("threads")) {
    return;
  }
  for (uint32_t i = 0; i < HOT_PAGES; i++) {
    write_page(i, 1, i);
  }
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    REQUIRE(pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  close_all();
}

int main(void) {
  RUN(a_page_is_loaded_once);
  RUN(bad_pages_are_refused);
  RUN(a_page_is_pinned_where_it_was);
  RUN(spare_pins_leave_frames);
  RUN(pinned_bytes_outlive_a_rewrite);
  RUN(pages_are_evicted_but_never_pinned_ones);
  RUN(a_page_that_comes_back_is_known);
  RUN(a_checksum_alone_convinces_nobody);
  RUN(a_cached_page_is_read_again_before_it_is_stale);
  RUN(the_index_follows);
  RUN(many_threads_pin_write_and_evict);
  return check_result();
}
