/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What a list asks for ahead; the rest of page_run.c: test_list_cursor.c. */
#include <string.h>

#include "core/lists/list_cursor.h"
#include "core/lists/page_run.h"
#include "tests/support/check.h"

enum { PAGES = 500, FIRST_PAGE = 1, FIRST_EXTENT = 10, GAP = 1000 };

/* A file in two extents, of which only the magic of each page can be read. */
struct world {
  struct csd_page_source source;
  struct csd_extent extents[2];
  struct csd_work work;
  struct csd_page_run run;
  uint32_t page; /* the bytes of every page */
  bool asked[GAP + PAGES + FIRST_PAGE];
  bool indexed[GAP + PAGES + FIRST_PAGE];
  uint32_t asks;
};

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  struct world *world = context;
  (void)lba, (void)stamp, (void)file_page;
  *page = (const uint8_t *)&world->page;
  return 0;
}

static void unpin(void *context, const uint8_t *page) { (void)context, (void)page; }

static void ask(void *context, uint64_t lba, uint32_t count, uint32_t peeked) {
  struct world *world = context;
  REQUIRE(count > 0 && lba + count <= sizeof world->asked);
  world->asks++;
  REQUIRE((peeked == 0 || peeked >= count) && lba + peeked <= sizeof world->indexed);
  memset(world->asked + lba, true, count);
  memset(world->indexed + lba, true, peeked);
}

static void start(struct world *world, uint32_t pages) {
  memset(world, 0, sizeof *world);
  world->source = (struct csd_page_source){
      .context = world, .pin = pin, .unpin = unpin, .ask = ask, .cold = true};
  world->extents[0] = (struct csd_extent){0, FIRST_EXTENT, 0};
  world->extents[1] = (struct csd_extent){FIRST_EXTENT, PAGES, FIRST_EXTENT + GAP};
  world->page = CSD_PAGE_MAGIC;
  const struct csd_list_ref ref = {
      .first_page = FIRST_PAGE, .page_count = pages, .extent_count = 2};
  csd_page_run_open(&world->run, &ref, world->extents, &world->source, &world->work,
                    CSD_PAGE_MAGIC);
  csd_page_run_ask(&world->run);
}

static bool is_asked(const struct world *world, uint32_t page) {
  const uint32_t file_page = FIRST_PAGE + page;
  return world->asked[file_page < FIRST_EXTENT ? file_page : file_page + GAP];
}

/* The first page that is not asked for. */
static uint32_t asked_to(const struct world *world, uint32_t from) {
  while (from < PAGES - FIRST_PAGE && is_asked(world, from)) {
    from++;
  }
  return from;
}

static void pin_page(struct world *world, uint32_t page) {
  const uint8_t *bytes;
  CHECK_OK(csd_page_run_pin(&world->run, page, &bytes));
}

static void first_pages_are_asked_for(void) {
  static struct world world;
  start(&world, PAGES - FIRST_PAGE);
  CHECK_EQ(CSD_FIRST_PAGES, asked_to(&world, 0));
  CHECK_EQ(2, world.asks); /* one an extent */
  CHECK(!world.asked[0] && !world.asked[FIRST_EXTENT + GAP - 1]);
  CHECK(world.indexed[FIRST_PAGE] && world.indexed[FIRST_EXTENT + GAP + 400]);
  start(&world, 3);
  CHECK_EQ(3, asked_to(&world, 0));
  start(&world, 0);
  CHECK_EQ(0, world.asks);
}

/* Page by page: each is asked for well before it is read, and by few calls. */
static void sequential_use_asks_for_more_and_more(void) {
  static struct world world;
  start(&world, PAGES - FIRST_PAGE);
  for (uint32_t page = 0; page < PAGES - FIRST_PAGE; page++) {
    const uint32_t lead = asked_to(&world, page) - page;
    CHECK_MSG(lead >= 8 || page + lead == PAGES - FIRST_PAGE, "%u ahead of page %u", lead, page);
    CHECK_MSG(lead <= 40, "%u ahead of page %u", lead, page);
    pin_page(&world, page);
  }
  CHECK_MSG(world.asks <= 2 + PAGES / 12, "%u calls", world.asks);
}

/* Pages that are passed over are not asked for, and little is behind each that is read. */
static void passing_over_asks_for_little(void) {
  static struct world world;
  start(&world, PAGES - FIRST_PAGE);
  for (uint32_t page = 0; page < 80; page++) {
    pin_page(&world, page);
  }
  uint32_t before = asked_to(&world, 0);
  for (uint32_t page = before + 20; page < PAGES - 50; page += 20) {
    CHECK(!is_asked(&world, page));
    pin_page(&world, page);
    CHECK(is_asked(&world, page) && is_asked(&world, page + 1));
    CHECK(!is_asked(&world, page + 8));
    CHECK(!is_asked(&world, before + 10));
    before = page;
  }
}

static void a_second_round_asks_for_nothing_again(void) {
  static struct world world;
  start(&world, 40);
  for (uint32_t page = 0; page < 40; page++) {
    pin_page(&world, page);
  }
  const uint32_t asks = world.asks;
  for (uint32_t page = 0; page < 40; page++) {
    pin_page(&world, page);
  }
  CHECK_EQ(asks, world.asks);
}

/* Opens a list anew over a source that was changed, and pins pages [0, to). */
static void open_again(struct world *world, uint32_t to) {
  world->asks = 0;
  world->run.asked_to = 0;
  csd_page_run_ask(&world->run);
  for (uint32_t page = 0; page < to; page++) {
    pin_page(world, page);
  }
}

static void a_source_need_not_be_asked(void) {
  static struct world world;
  start(&world, 40);
  world.source.ask = NULL;
  open_again(&world, 40);
  CHECK_EQ(0, world.asks);
}

/* Nothing is asked for while all is resident; from the first page on that is not, pages are. */
static void a_source_is_asked_once_it_is_cold(void) {
  static struct world world;
  start(&world, PAGES - FIRST_PAGE);
  world.source.cold = false;
  open_again(&world, 40);
  CHECK_EQ(0, world.asks);
  world.source.cold = true;
  pin_page(&world, 40);
  CHECK(is_asked(&world, 40) && asked_to(&world, 40) > 60);
}

int main(void) {
  RUN(first_pages_are_asked_for);
  RUN(sequential_use_asks_for_more_and_more);
  RUN(passing_over_asks_for_little);
  RUN(a_second_round_asks_for_nothing_again);
  RUN(a_source_need_not_be_asked);
  RUN(a_source_is_asked_once_it_is_cold);
  return check_result();
}
