/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* kill -9 at any moment, over and over: what was answered is there afterwards, and all goes on. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/search_world.h"

enum { ROUNDS = 12, LBAS = 512, MAX_US = 40000 };

static struct target_process target;
static uint32_t written[LBAS];   /* what was answered: the number of the write; 0: none */
static uint32_t under_way[LBAS]; /* sent after that, unanswered */

static void fill(uint8_t *block, uint32_t lba, uint32_t number) {
  uint64_t seed = (uint64_t)lba << 32 | number;
  for (int i = 0; i < 4096; i += 8) {
    const uint64_t random = check_random(&seed);
    memcpy(block + i, &random, 8);
  }
}

static void *killer(void *argument) {
  usleep(*(const useconds_t *)argument);
  target_kill(&target);
  return NULL;
}

static struct ini_command block_command(uint8_t opcode, uint32_t lba) {
  return (struct ini_command){.opcode = opcode, .nsid = 1, .cdw10 = lba};
}

/* Writes until the target is gone. */
static void write_until_killed(struct ini_connection *c, uint64_t *seed, uint32_t *number) {
  uint8_t block[4096];
  for (;;) {
    const uint32_t lba = check_random_below(seed, LBAS);
    struct ini_command write = block_command(1, lba);
    fill(block, lba, ++*number);
    write.out = block, write.out_bytes = sizeof block;
    write.apart = *number % 3 == 0;
    under_way[lba] = *number;
    const int status = ini_run(c, &write).status;
    if (status != 0) {
      CHECK_MSG(status == INI_CLOSED, "status %d", status);
      return;
    }
    written[lba] = *number;
    if (*number % 50 == 0) {
      const struct ini_command flush = {.nsid = 1};
      (void)ini_run(c, &flush);
    }
  }
}

/* Every block is as it was answered last, or as the write says that got no answer. */
static void check_blocks(struct ini_connection *c) {
  uint8_t got[4096], wanted[4096], other[4096];
  for (uint32_t lba = 0; lba < LBAS; lba++) {
    struct ini_command read = block_command(2, lba);
    read.in = got, read.in_bytes = sizeof got;
    REQUIRE(ini_run(c, &read).status == 0);
    memset(wanted, 0, sizeof wanted);
    if (written[lba] != 0) {
      fill(wanted, lba, written[lba]);
    }
    fill(other, lba, under_way[lba]);
    const bool as_answered = memcmp(got, wanted, sizeof got) == 0;
    const bool as_sent = under_way[lba] != 0 && memcmp(got, other, sizeof got) == 0;
    CHECK_MSG(as_answered || as_sent, "LBA %u", lba);
    written[lba] = under_way[lba] = as_sent && !as_answered ? under_way[lba] : written[lba];
  }
}

static void what_was_answered_is_there(void) {
  uint64_t seed = 21;
  uint32_t number = 0;
  const char *const options[] = {"--capacity", "16M", NULL};
  for (int round = 0; round < ROUNDS; round++) {
    struct ini_host host;
    pthread_t thread;
    useconds_t wait = 1000 + check_random_below(&seed, MAX_US);
    REQUIRE(target_start(&target, "crash", options));
    REQUIRE(ini_host_open(&host, target.port, (uint8_t)(round % 4), INI_HOST));
    check_blocks(&host.io);
    REQUIRE(pthread_create(&thread, NULL, killer, &wait) == 0);
    write_until_killed(&host.io, &seed, &number);
    pthread_join(thread, NULL);
    ini_host_close(&host);
  }
  printf("%u writes in %d rounds\n", number, ROUNDS);
  CHECK(number > ROUNDS);
  struct ini_host host;
  REQUIRE(target_start(&target, "crash", options));
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  check_blocks(&host.io);
  ini_host_close(&host);
  CHECK_EQ(0, target_stop(&target));
}

/* Posting pages answer queries after a kill as before it. */
static void queries_go_on(void) {
  struct search_world *world = search_world_make(3, 77, 1000);
  static uint8_t plan[WORLD_PLAN_BYTES], result[1 << 17];
  uint64_t seed = 8;
  for (int round = 0; round < 2; round++) {
    struct ini_host host;
    REQUIRE(target_start(&target, "again", NULL));
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    for (uint32_t page = 0; round == 0 && page < world->page_count; page++) {
      struct ini_command write = block_command(1, 1000 + page);
      write.out = world->pages + page * CSD_PAGE_BYTES, write.out_bytes = CSD_PAGE_BYTES;
      REQUIRE(ini_run(&host.io, &write).status == 0);
    }
    const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
    const uint32_t session = (uint32_t)ini_run(&host.io, &open).result;
    for (int i = 0; i < 30; i++) {
      const struct search_query query = search_query_random(&seed);
      const uint32_t bytes = search_query_plan(world, &query, plan);
      const struct ini_command run = {.opcode = CSD_OPCODE_SUBMIT,
                                      .nsid = 1,
                                      .cdw10 = session,
                                      .cdw11 = bytes,
                                      .out = plan,
                                      .out_bytes = bytes};
      const struct ini_command get = {.opcode = CSD_OPCODE_FETCH,
                                      .nsid = 1,
                                      .cdw10 = session,
                                      .cdw12 = sizeof result,
                                      .in = result,
                                      .in_bytes = sizeof result};
      CHECK_EQ(0, ini_run(&host.io, &run).status);
      const struct ini_answer answer = ini_run(&host.io, &get);
      CHECK_EQ(0, answer.status);
      REQUIRE(search_query_check(world, &query, result, answer.in_bytes));
    }
    if (round == 0) {
      target_kill(&target);
    } else {
      CHECK_EQ(0, target_stop(&target));
    }
    ini_host_close(&host);
  }
  search_world_free(world);
}

int main(void) {
  RUN(what_was_answered_is_there);
  RUN(queries_go_on);
  return check_result();
}
