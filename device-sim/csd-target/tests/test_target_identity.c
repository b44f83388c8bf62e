/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The names of a target: its own, the same after each start, and those of no other store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

#define PREFIX "nqn.2014-08.org.nvmexpress:uuid:"
#define SOME_UUID "6c8f3a52-0b1d-4e7f-9a60-1f2e3d4c5b6a"

/** All that a host learns of who the target is. */
struct names {
  char subsystem[256], serial[21];
  uint8_t nguid[16], uuid[16];
  uint8_t cmic, nmic;
  uint16_t controller;
};

static const char *const small[] = {"--capacity", "64M", NULL};

static bool identify(struct ini_connection *c, uint32_t cns, uint32_t nsid, uint8_t *page) {
  const struct ini_command command = {
      .opcode = 0x06, .nsid = nsid, .cdw10 = cns, .in = page, .in_bytes = 4096};
  return ini_run(c, &command).status == 0;
}

static struct names names_of(const struct target_process *target) {
  static uint8_t page[4096];
  struct names names = {.controller = 0};
  struct ini_connection c;
  const struct ini_answer answer =
      ini_connect(&c, target->port, 0, INI_HOST, target->subsystem, 0, 0xFFFF, 0);
  CHECK_EQ(0, answer.status);
  names.controller = (uint16_t)answer.result;
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  CHECK(identify(&c, 1, 0, page));
  memcpy(names.serial, page + 4, 20);
  names.cmic = page[76];
  memcpy(names.subsystem, page + 768, 256);
  CHECK(identify(&c, 0, 1, page));
  names.nmic = page[30];
  memcpy(names.nguid, page + 104, 16);
  CHECK(identify(&c, 3, 1, page));
  CHECK(page[0] == 2 && page[1] == 16 && memcmp(page + 4, names.nguid, 16) == 0);
  CHECK(page[20] == 3 && page[21] == 16);
  memcpy(names.uuid, page + 24, 16);
  CHECK(page[40] == 4 && page[41] == 1 && page[44] == 0 && page[45] == 0);
  CHECK(strcmp(target->subsystem, names.subsystem) == 0);
  ini_close(&c);
  return names;
}

static struct names names_after_start(const char *name, const char *const *options) {
  struct target_process target;
  struct names names = {.controller = 0};
  CHECK(target_start_plain(&target, name, options));
  names = names_of(&target);
  CHECK_EQ(0, target_stop(&target));
  return names;
}

static bool same(const struct names *a, const struct names *b) {
  return strcmp(a->subsystem, b->subsystem) == 0 && strcmp(a->serial, b->serial) == 0 &&
         memcmp(a->nguid, b->nguid, 16) == 0 && memcmp(a->uuid, b->uuid, 16) == 0;
}

static bool nothing_in_common(const struct names *a, const struct names *b) {
  return strcmp(a->subsystem, b->subsystem) != 0 && strcmp(a->serial, b->serial) != 0 &&
         memcmp(a->nguid, b->nguid, 16) != 0 && memcmp(a->uuid, b->uuid, 16) != 0;
}

static void copy(const char *from, const char *to) {
  static char bytes[1 << 16];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  REQUIRE(in != NULL && out != NULL);
  for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;) {
    CHECK_EQ(count, fwrite(bytes, 1, count, out));
  }
  fclose(in);
  CHECK_EQ(0, fclose(out));
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fputs(text, file);
  CHECK_EQ(0, fclose(file));
}

/* Two nodes, each with nothing but a store: one host can attach both. */
static void two_targets_have_no_name_in_common(void) {
  struct target_process one, two;
  struct ini_connection c;
  REQUIRE(target_start_plain(&one, "one", small) && target_start_plain(&two, "two", small));
  const struct names first = names_of(&one), second = names_of(&two);
  CHECK(nothing_in_common(&first, &second));
  CHECK(memcmp(PREFIX, one.subsystem, strlen(PREFIX)) == 0);
  CHECK_EQ(strlen(PREFIX) + 36, strlen(one.subsystem));
  CHECK(memcmp(first.nguid, first.uuid, 16) == 0);
  CHECK_EQ(4, first.uuid[6] >> 4); /* a random UUID */
  CHECK_EQ(2, first.uuid[8] >> 6);
  /* A controller of one is none of the other, whatever ID a host has kept. */
  CHECK_EQ(0x4182, ini_connect(&c, two.port, 0, INI_HOST, one.subsystem, 0, 0xFFFF, 0).status);
  ini_close(&c);
  CHECK_EQ(0, target_stop(&one));
  CHECK_EQ(0, target_stop(&two));
}

/* Where two targets are given one name, controllers should still differ. */
static void controller_ids_begin_anywhere(void) {
  const uint16_t first = names_after_start("ids", small).controller;
  bool differs = false;
  for (int i = 0; i < 4; i++) {
    differs |= names_after_start("ids", small).controller != first;
  }
  CHECK(differs); /* by chance equal each time once in 10^19 runs */
}

static void a_store_keeps_its_names(void) {
  struct stat info;
  struct target_process target;
  REQUIRE(target_start_plain(&target, "kept", small));
  const struct names first = names_of(&target);
  CHECK(stat(target.identity, &info) == 0 && S_ISREG(info.st_mode));
  CHECK_EQ(0600, info.st_mode & 07777);
  CHECK(stat(target.store, &info) == 0);
  CHECK_EQ(0600, info.st_mode & 07777);
  target_kill(&target);
  const struct names again = names_after_start("kept", small);
  CHECK(same(&first, &again));
  /* Also under another path. */
  CHECK_EQ(0, rename(target.store, scratch_path("moved.vol")));
  CHECK_EQ(0, rename(target.identity, scratch_path("moved.vol.id")));
  const struct names moved = names_after_start("moved", small);
  CHECK(same(&first, &moved));
  CHECK_EQ(0, symlink(scratch_path("moved.vol"), scratch_path("link.vol")));
  const struct names linked = names_after_start("link", small);
  CHECK(same(&first, &linked));
}

/* A store of before there were identities gets one, and none of its bytes changes. */
static void an_old_store_gets_names(void) {
  char text[4096 + 1];
  const char *store = scratch_path("old.vol");
  memset(text, 'x', 4096);
  text[4096] = 0;
  write_text(store, text);
  const struct names first = names_after_start("old", small);
  const struct names again = names_after_start("old", small);
  CHECK(same(&first, &again));
  char now[4096 + 1] = "";
  FILE *file = fopen(store, "rb");
  REQUIRE(file != NULL);
  CHECK_EQ(4096, fread(now, 1, sizeof now, file));
  fclose(file);
  CHECK(memcmp(now, text, 4096) == 0);
}

static void a_copy_gets_names_of_its_own(void) {
  const struct names first = names_after_start("source", small);
  copy(scratch_path("source.vol"), scratch_path("alone.vol"));
  const struct names alone = names_after_start("alone", small);
  CHECK(nothing_in_common(&first, &alone));
  /* With its identity too, which then is another file's. */
  copy(scratch_path("source.vol"), scratch_path("both.vol"));
  copy(scratch_path("source.vol.id"), scratch_path("both.vol.id"));
  struct target_process target;
  REQUIRE(target_start_plain(&target, "both", small));
  const struct names both = names_of(&target);
  CHECK(target_logged(&target, "this store is a copy"));
  CHECK_EQ(0, target_stop(&target));
  CHECK(nothing_in_common(&first, &both));
  const struct names again = names_after_start("both", small);
  CHECK(same(&both, &again));
  const struct names source = names_after_start("source", small);
  CHECK(same(&first, &source));
}

static void read_only_writes_no_identity(void) {
  const char *const read_only[] = {"--capacity", "64M", "--read-only", NULL};
  struct target_process target;
  write_text(scratch_path("bare.vol"), "");
  REQUIRE(target_start_plain(&target, "bare", read_only));
  CHECK(target_logged(&target, "--read-only writes none"));
  const struct names first = names_of(&target);
  CHECK_EQ(0, target_stop(&target));
  CHECK(access(target.identity, F_OK) != 0);
  const struct names again = names_after_start("bare", read_only);
  CHECK(nothing_in_common(&first, &again));
  /* One that is there holds for readers too. */
  const struct names written = names_after_start("bare", small);
  const struct names read = names_after_start("bare", read_only);
  CHECK(same(&written, &read));
}

static void a_damaged_identity_is_no_identity(void) {
  static const char *const damaged[] = {"",
                                        "uuid 6c8f3a52-0b1d-4e7f-9a60-1f2e3d4c5b6\nstore 1 2.3\n",
                                        "uuid " SOME_UUID "\n",
                                        "store 1 2.3\n",
                                        "uuid " SOME_UUID "\nstore 1 2.3 4\n",
                                        "uuid " SOME_UUID "\nstore 1\n",
                                        "uuid 00000000-0000-0000-0000-000000000000\nstore 1 2.3\n",
                                        "uuid " SOME_UUID "\nstore 1 2.3\nmore\n"};
  struct target_process target;
  const struct names first = names_after_start("damaged", small);
  copy(scratch_path("damaged.vol.id"), scratch_path("good"));
  for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
    write_text(scratch_path("damaged.vol.id"), damaged[i]);
    CHECK_MSG(!target_start_plain(&target, "damaged", small), "%zu", i);
    CHECK_EQ(1, target_stop(&target));
  }
  CHECK(target_logged(&target, "damaged.vol.id: damaged; restore it, or remove it"));
  copy(scratch_path("good"), scratch_path("damaged.vol.id"));
  const struct names again = names_after_start("damaged", small);
  CHECK(same(&first, &again));
}

static void a_uuid_may_be_given(void) {
  const char *const given[] = {"--capacity", "64M", "--uuid", SOME_UUID, NULL};
  const struct names names = names_after_start("given", given);
  CHECK(strcmp(PREFIX SOME_UUID, names.subsystem) == 0);
  CHECK(names.nguid[0] == 0x6C && names.nguid[1] == 0x8F && names.nguid[15] == 0x6A);
  CHECK(strcmp("6c8f3a520b1d4e7f9a60", names.serial) == 0);
  CHECK(access(scratch_path("given.vol.id"), F_OK) != 0);
  const char *const all[] = {"--capacity",  "64M",      "--uuid", SOME_UUID,  "--subsystem",
                             INI_SUBSYSTEM, "--serial", "abc",    "--shared", NULL};
  const struct names named = names_after_start("given", all);
  CHECK(strcmp(INI_SUBSYSTEM, named.subsystem) == 0);
  CHECK(strcmp("abc                 ", named.serial) == 0);
  CHECK(memcmp(names.nguid, named.nguid, 16) == 0);
  /* Several controllers a host, only if that is asked for. */
  CHECK_EQ(0, names.cmic);
  CHECK_EQ(0, names.nmic);
  CHECK_EQ(2, named.cmic);
  CHECK_EQ(1, named.nmic);
}

int main(void) {
  RUN(two_targets_have_no_name_in_common);
  RUN(controller_ids_begin_anywhere);
  RUN(a_store_keeps_its_names);
  RUN(an_old_store_gets_names);
  RUN(a_copy_gets_names_of_its_own);
  RUN(read_only_writes_no_identity);
  RUN(a_damaged_identity_is_no_identity);
  RUN(a_uuid_may_be_given);
  return check_result();
}
