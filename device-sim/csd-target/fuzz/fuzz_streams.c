/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Streams of well-behaved hosts, to start from. */
#include <string.h>

#include "core/kernels/crc32c.h"
#include "csd/csd.h"
#include "fuzz_target.h"
#include "tests/support/search_world.h"

#define DISCOVERY "nqn.2014-08.org.nvmexpress.discovery"

enum { QUEUE_SIZE = 15, CONNECT_BYTES = 1024 };

struct stream {
  uint8_t *to;
  size_t at;
  bool digests;
  uint16_t cid;
};

struct fields {
  uint8_t opcode;
  uint32_t nsid, cdw2, cdw3, cdw4, cdw10, cdw11, cdw12, cdw13, cdw14;
  const void *data; /* in the capsule */
  uint32_t data_bytes;
  uint32_t apart_bytes; /* or elsewhere, to the device or to the host */
};

static void put(struct stream *s, const void *bytes, size_t count) {
  memcpy(s->to + s->at, bytes, count);
  s->at += count;
}

/* A PDU's header, its data, and their digests. */
static void put_pdu(struct stream *s, uint8_t *header, uint8_t header_bytes, const void *data,
                    uint32_t bytes) {
  uint32_t front = header_bytes, total;
  uint32_t digest;
  header[2] = header_bytes;
  if (s->digests) {
    header[1] = (uint8_t)(header[1] | 1 | (bytes > 0 ? 2 : 0)), front += 4;
  }
  header[3] = bytes > 0 ? (uint8_t)front : 0;
  total = front + bytes + (s->digests && bytes > 0 ? 4 : 0);
  memcpy(header + 4, &total, 4);
  put(s, header, header_bytes);
  if (s->digests) {
    digest = csd_crc32c(0, header, header_bytes);
    put(s, &digest, 4);
  }
  if (bytes == 0) {
    return;
  }
  put(s, data, bytes);
  if (s->digests) {
    digest = csd_crc32c(0, data, bytes);
    put(s, &digest, 4);
  }
}

static void put_parameters(struct stream *s) {
  uint8_t pdu[128] = {0, 0, 128, 0, 128};
  pdu[11] = s->digests ? 3 : 0;
  put(s, pdu, sizeof pdu);
}

static void put_command(struct stream *s, struct fields f) {
  uint8_t pdu[72] = {4};
  const uint32_t length = f.data_bytes > 0 ? f.data_bytes : f.apart_bytes;
  const uint32_t dwords[] = {f.cdw10, f.cdw11, f.cdw12, f.cdw13, f.cdw14};
  pdu[8] = f.opcode;
  pdu[9] = 0x40;
  memcpy(pdu + 10, &s->cid, 2);
  s->cid++;
  memcpy(pdu + 12, &f.nsid, 4);
  memcpy(pdu + 8 + 8, &f.cdw2, 4);
  memcpy(pdu + 8 + 12, &f.cdw3, 4);
  memcpy(pdu + 8 + 16, &f.cdw4, 4);
  memcpy(pdu + 8 + 32, &length, 4);
  pdu[8 + 39] = f.data_bytes > 0 ? 0x01 : 0x5A;
  memcpy(pdu + 8 + 40, dwords, sizeof dwords);
  put_pdu(s, pdu, sizeof pdu, f.data, f.data_bytes);
}

/* Data that an R2T asks for; its tag is the number of the command on the connection. */
static void put_data(struct stream *s, uint16_t tag, uint32_t offset, const void *data,
                     uint32_t bytes, bool last) {
  uint8_t pdu[24] = {6, last ? 4 : 0};
  const uint16_t cid = (uint16_t)(s->cid - 1);
  memcpy(pdu + 8, &cid, 2);
  memcpy(pdu + 10, &tag, 2);
  memcpy(pdu + 12, &offset, 4);
  memcpy(pdu + 16, &bytes, 4);
  put_pdu(s, pdu, sizeof pdu, data, bytes);
}

static void put_connect(struct stream *s, const char *subsystem, uint16_t queue,
                        uint16_t controller) {
  uint8_t data[CONNECT_BYTES] = {1};
  memcpy(data + 16, &controller, 2);
  strcpy((char *)data + 256, subsystem);
  strcpy((char *)data + 512, "nqn.2014-08.org.nvmexpress:uuid:1");
  put_command(s, (struct fields){.opcode = 0x7F,
                                 .nsid = 1,
                                 .cdw10 = (uint32_t)queue << 16,
                                 .cdw11 = QUEUE_SIZE,
                                 .data = data,
                                 .data_bytes = sizeof data});
}

static void put_enable(struct stream *s, uint32_t configuration) {
  put_command(s, (struct fields){.opcode = 0x7F, .cdw11 = 0x14, .cdw12 = configuration});
}

/* Both programs activated, and a range set of one range made. */
static void put_set(struct stream *s, uint64_t start) {
  uint8_t range[32] = {2, 0, 0, 0, 0, 0, 2}; /* of 128 KiB */
  memcpy(range + 8, &start, 8);
  put_command(
      s, (struct fields){.opcode = 0x89, .nsid = 3, .cdw11 = 1, .data = range, .data_bytes = 32});
}

static void put_sets(struct stream *s) {
  put_command(s, (struct fields){.opcode = 0x88, .nsid = 3, .cdw10 = 1 << 16});
  put_command(s, (struct fields){.opcode = 0x88, .nsid = 3, .cdw10 = 1 << 16 | 1});
  put_set(s, 0);
  put_set(s, 1 << 17);
}

size_t fuzz_prefix(uint8_t stage, uint8_t *to) {
  struct stream s = {.to = to, .digests = stage == FUZZ_QUEUE_DIGESTS};
  if (stage == FUZZ_START) {
    return 0;
  }
  put_parameters(&s);
  if (stage == FUZZ_ADMIN || stage == FUZZ_DISCOVERY || stage == FUZZ_SETS) {
    put_connect(&s, stage == FUZZ_DISCOVERY ? DISCOVERY : FUZZ_SUBSYSTEM, 0, 0xFFFF);
    put_enable(&s, stage == FUZZ_SETS ? 0x460061 : 0x460001);
    if (stage == FUZZ_SETS) {
      put_sets(&s);
    }
  } else if (stage != FUZZ_PARAMETERS) {
    put_connect(&s, FUZZ_SUBSYSTEM, 1, 1);
  }
  return s.at;
}

/* All of a host's life on an admin queue. */
static void admin_stream(struct stream *s) {
  static const uint8_t pages[] = {1, 2, 3, 5, 0x70, 0x99}, names[] = {0, 1, 2, 3, 5, 6, 7, 8, 28};
  put_command(s, (struct fields){.opcode = 0x7F, .nsid = 4, .cdw10 = 1});
  put_command(s, (struct fields){.opcode = 0x7F, .nsid = 4, .cdw11 = 0x1C});
  for (size_t i = 0; i < sizeof names; i++) {
    put_command(s, (struct fields){.opcode = 6, .nsid = 1, .cdw10 = names[i], .apart_bytes = 4096});
  }
  for (size_t i = 0; i < sizeof pages; i++) {
    put_command(
        s, (struct fields){
               .opcode = 2, .nsid = 0xFFFFFFFF, .cdw10 = pages[i] | 127 << 16, .apart_bytes = 512});
  }
  for (uint32_t id = 1; id < 16; id++) {
    put_command(s, (struct fields){.opcode = 9, .cdw10 = id, .cdw11 = 1});
    put_command(s, (struct fields){.opcode = 10, .cdw10 = id});
  }
  put_command(s, (struct fields){.opcode = 10, .cdw10 = 0x81, .cdw11 = 1, .apart_bytes = 16});
  put_command(s, (struct fields){.opcode = 12});
  put_command(s, (struct fields){.opcode = 8, .cdw10 = (uint32_t)(s->cid - 1) << 16});
  put_command(s, (struct fields){.opcode = 8, .cdw10 = 1});
  put_command(s, (struct fields){.opcode = 0x18});
  put_command(s, (struct fields){.opcode = 0x7F, .cdw11 = 0x14, .cdw12 = 0x464001});
  put_command(s, (struct fields){.opcode = 0x7F, .cdw11 = 0x14, .cdw12 = 0});
}

/* Blocks in the capsule, and apart from it in two pieces; back; zeroes, trim, flush. */
static void block_stream(struct stream *s) {
  static uint8_t block[3 * 4096];
  uint8_t range[16] = {0, 0, 0, 0, 4};
  memset(block, 0x5A, sizeof block);
  put_command(s, (struct fields){.opcode = 1, .nsid = 1, .data = block, .data_bytes = 4096});
  put_command(s, (struct fields){
                     .opcode = 1, .nsid = 1, .cdw10 = 3, .cdw12 = 2, .apart_bytes = sizeof block});
  put_data(s, 2, 0, block, 4096, false);
  put_data(s, 2, 4096, block, 8192, true);
  put_command(s, (struct fields){.opcode = 2, .nsid = 1, .cdw12 = 7, .apart_bytes = 32768});
  put_command(s, (struct fields){.opcode = 8, .nsid = 1, .cdw10 = 1, .cdw12 = 3});
  put_command(s,
              (struct fields){
                  .opcode = 9, .nsid = 1, .cdw11 = 4, .data = range, .data_bytes = sizeof range});
  put_command(s, (struct fields){.nsid = 0xFFFFFFFF});
  put_command(s, (struct fields){.opcode = 2, .nsid = 1, .cdw10 = 64, .apart_bytes = 4096});
  put_command(s, (struct fields){.opcode = 0x7F, .nsid = 8});
}

/* The last pages of the world written, sessions, a query over them, live docs. */
static void query_stream(struct stream *s) {
  static uint8_t plan[WORLD_PLAN_BYTES], live[64];
  struct search_world *world = search_world_make(3, 77, 10);
  const struct search_query query = {.mode = CSD_MODE_TOP_K,
                                     .k = 5,
                                     .term_count = 2,
                                     .list = {4, 5},
                                     .occur = {CSD_OCCUR_MUST, CSD_OCCUR_SHOULD},
                                     .weight = {1, 2}};
  const uint32_t bytes = search_query_plan(world, &query, plan);
  for (uint32_t page = world->refs[4].first_page - 1; page < world->page_count; page++) {
    put_command(s, (struct fields){.opcode = 1,
                                   .nsid = 1,
                                   .cdw10 = 10 + page,
                                   .data = world->pages + page * CSD_PAGE_BYTES,
                                   .data_bytes = CSD_PAGE_BYTES});
  }
  for (uint32_t session = 1; session < 3; session++) {
    put_command(s, (struct fields){.opcode = CSD_OPCODE_OPEN, .nsid = 1});
    put_command(s, (struct fields){.opcode = CSD_OPCODE_SUBMIT,
                                   .nsid = 1,
                                   .cdw10 = session,
                                   .cdw11 = bytes,
                                   .data = plan,
                                   .data_bytes = bytes});
    put_command(s, (struct fields){.opcode = CSD_OPCODE_FETCH,
                                   .nsid = 1,
                                   .cdw10 = session,
                                   .cdw12 = 4096,
                                   .apart_bytes = 4096});
  }
  put_command(
      s, (struct fields){.opcode = CSD_OPCODE_FETCH, .nsid = 1, .cdw12 = 128, .apart_bytes = 128});
  put_command(s, (struct fields){.opcode = CSD_OPCODE_PUT,
                                 .nsid = 1,
                                 .cdw10 = 1,
                                 .cdw11 = sizeof live,
                                 .cdw14 = 2 * sizeof live,
                                 .data = live,
                                 .data_bytes = sizeof live});
  put_command(s, (struct fields){.opcode = CSD_OPCODE_DROP, .nsid = 1, .cdw10 = FUZZ_RESOURCE});
  put_command(s, (struct fields){.opcode = CSD_OPCODE_CLOSE, .nsid = 1, .cdw10 = 1});
  put_command(s, (struct fields){.opcode = CSD_OPCODE_MODEL, .nsid = 1});
  put_command(s, (struct fields){.opcode = CSD_OPCODE_MODEL_FETCH,
                                 .nsid = 1,
                                 .cdw12 = 824,
                                 .cdw13 = 1,
                                 .apart_bytes = 824});
  search_world_free(world);
}

/* What an admin queue has of memory and programs. */
static void sets_stream(struct stream *s) {
  static const uint8_t names[] = {0, 2, 3, 5, 6, 7, 8, 28}, pages[] = {0x05, 0x1A, 0x1B, 0x82};
  for (size_t i = 0; i < sizeof names; i++) {
    for (uint32_t nsid = 2; nsid < 4; nsid++) {
      put_command(s, (struct fields){.opcode = 6,
                                     .nsid = nsid,
                                     .cdw10 = names[i],
                                     .cdw11 = (nsid + 1) << 24,
                                     .apart_bytes = 4096});
    }
  }
  for (size_t i = 0; i < sizeof pages; i++) {
    put_command(s, (struct fields){.opcode = 2,
                                   .nsid = 3,
                                   .cdw10 = pages[i] | 127 << 16,
                                   .cdw14 = 4u << 24,
                                   .apart_bytes = 512});
  }
  put_command(s, (struct fields){.opcode = 0x89, .nsid = 3, .cdw10 = 2 << 16 | 1});
  put_set(s, 1 << 18);
  put_set(s, 0);
  put_command(s, (struct fields){.opcode = 0x88, .nsid = 3, .cdw10 = 1});
  put_enable(s, 0);
}

/* Memory written, filled, copied, read; a plan from memory and from the command; live docs. */
static void program_stream(struct stream *s) {
  static uint8_t plan[WORLD_PLAN_BYTES], live[64];
  struct search_world *world = search_world_make(3, 77, 10);
  const struct search_query query = {.mode = CSD_MODE_COUNT,
                                     .term_count = 1,
                                     .list = {5},
                                     .occur = {CSD_OCCUR_MUST},
                                     .weight = {1}};
  const uint32_t bytes = search_query_plan(world, &query, plan);
  const uint32_t length = (bytes + 3) / 4 * 4;
  const uint32_t first = world->refs[5].first_page - 1;
  uint8_t sources[64] = {1, 0, 0, 0, 0, 0, 0, 0, 3};
  for (uint32_t page = first; page < world->page_count; page++) {
    put_command(s, (struct fields){.opcode = 1,
                                   .nsid = 1,
                                   .cdw10 = 10 + page,
                                   .data = world->pages + page * CSD_PAGE_BYTES,
                                   .data_bytes = CSD_PAGE_BYTES});
  }
  put_command(s, (struct fields){
                     .opcode = 5, .nsid = 2, .cdw12 = length, .data = plan, .data_bytes = length});
  for (uint32_t set = 1; set < 3; set++) {
    put_command(s, (struct fields){.opcode = 1,
                                   .nsid = 3,
                                   .cdw2 = set << 16,
                                   .cdw4 = set == 2 ? length : 0,
                                   .cdw10 = bytes,
                                   .cdw12 = 4096,
                                   .cdw13 = set - 1,
                                   .data = set == 2 ? plan : NULL,
                                   .data_bytes = set == 2 ? length : 0});
  }
  put_command(
      s, (struct fields){.opcode = 2, .nsid = 2, .cdw10 = 4096, .cdw12 = 64, .apart_bytes = 64});
  put_command(s, (struct fields){.opcode = 4, .nsid = 2, .cdw10 = 4096, .cdw12 = 4096});
  put_command(s, (struct fields){.opcode = 1,
                                 .nsid = 2,
                                 .cdw2 = 4096,
                                 .cdw10 = 1 << 16,
                                 .cdw12 = 2 << 8,
                                 .data = sources,
                                 .data_bytes = 32});
  sources[0] = 2, sources[17] = 16;
  put_command(s, (struct fields){.opcode = 1,
                                 .nsid = 2,
                                 .cdw2 = 4096,
                                 .cdw10 = 1 << 16,
                                 .cdw12 = 4 << 8,
                                 .data = sources,
                                 .data_bytes = 32});
  put_command(s, (struct fields){.opcode = 1,
                                 .nsid = 3,
                                 .cdw2 = 1,
                                 .cdw4 = sizeof live,
                                 .cdw10 = sizeof live,
                                 .cdw11 = 2 * sizeof live,
                                 .data = live,
                                 .data_bytes = sizeof live});
  put_command(s, (struct fields){.opcode = 1, .nsid = 3, .cdw2 = 1, .cdw12 = FUZZ_RESOURCE});
  put_command(s, (struct fields){.opcode = 1, .nsid = 3, .cdw2 = 1 << 16});
  search_world_free(world);
}

size_t fuzz_stream(int number, uint8_t *to) {
  static const uint8_t stages[] = {FUZZ_START, FUZZ_PARAMETERS,    FUZZ_ADMIN, FUZZ_DISCOVERY,
                                   FUZZ_QUEUE, FUZZ_QUEUE_DIGESTS, FUZZ_QUEUE, FUZZ_QUEUE_DIGESTS,
                                   FUZZ_SETS,  FUZZ_SETS_QUEUE};
  if (number < 0 || number >= FUZZ_STREAMS) {
    return 0;
  }
  to[0] = stages[number];
  struct stream s = {.to = to, .at = 1, .digests = to[0] == FUZZ_QUEUE_DIGESTS, .cid = 100};
  switch (number) {
    case 0: put_parameters(&s); /* fall through */
    case 1:
      put_connect(&s, FUZZ_SUBSYSTEM, 0, 0xFFFF);
      put_enable(&s, 0x460001);
      admin_stream(&s);
      break;
    case 2:
    case 3: admin_stream(&s); break;
    case 4:
    case 5: block_stream(&s); break;
    case 6:
    case 7: query_stream(&s); break;
    case 8: sets_stream(&s); break;
    default: program_stream(&s); break;
  }
  return s.at;
}
