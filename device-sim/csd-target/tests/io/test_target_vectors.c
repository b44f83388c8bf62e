/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The bad commands of wire/vectors over NVMe. Most get the status that their file names; of the
 * others the wire's section 9 says what becomes of them.
 */
#include <stdio.h>
#include <string.h>

#include "csd/csd.h"
#include "initiator.h"
#include "io/status_map.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/vectors/vector_file.h"

enum { NOT_SENT = -100, LENGTH_INVALID = 0x400F };

/** Vectors whose rule is not NVMe's, and what NVMe says instead. */
static const struct exception {
  const char *name;
  int status;
} exceptions[] = {
    /* A host cannot send it: fused commands, a metadata pointer, a buffer for no data. */
    {"invalid_field_flush_flags_1", NOT_SENT},
    {"invalid_field_flush_metadata_1", NOT_SENT},
    {"invalid_field_flush_data_1", NOT_SENT},
    {"invalid_field_flush_data_bytes_1", NOT_SENT},
    {"invalid_field_write_no_buffer", NOT_SENT},
    /* NVMe gives these dwords a meaning, or none that is looked at. */
    {"invalid_field_flush_cdw2_1", 0},
    {"invalid_field_flush_cdw3_1", 0},
    {"invalid_field_flush_cdw10_1", 0},
    {"invalid_field_flush_cdw15_1", 0},
    {"invalid_field_read_count_17_bits", 0},
    {"invalid_field_write_cdw13", 0},
    {"invalid_field_trim_257_ranges", 0},
    {"invalid_field_trim_cdw11_0", 0},
    /* The transport sees that the data are too short. */
    {"invalid_field_write_short_buffer", LENGTH_INVALID},
    {"invalid_field_trim_short_buffer", LENGTH_INVALID},
};

static struct ini_host host;
static uint8_t zeros[CSD_MAX_TRANSFER_BYTES], answer_bytes[CSD_MAX_TRANSFER_BYTES];
static int as_named, otherwise;

static const struct exception *exception_of(const char *name) {
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
    if (strcmp(exceptions[i].name, name) == 0) {
      return &exceptions[i];
    }
  }
  return NULL;
}

static void check_vector(const struct vector_file *vector) {
  struct csd_submission s;
  if (strcmp(vector->kind, "submission") != 0) {
    return;
  }
  memcpy(&s, vector_section_of(vector, "bytes", 0)->bytes, sizeof s);
  const struct exception *exception = exception_of(vector->name);
  otherwise += exception != NULL;
  as_named += exception == NULL;
  if (exception != NULL && exception->status == NOT_SENT) {
    return;
  }
  struct ini_command command = {.opcode = s.opcode,
                                .nsid = s.nsid,
                                .cdw2 = s.cdw2,
                                .cdw3 = s.cdw3,
                                .cdw10 = s.cdw10,
                                .cdw11 = s.cdw11,
                                .cdw12 = s.cdw12,
                                .cdw13 = s.cdw13,
                                .cdw14 = s.cdw14,
                                .cdw15 = s.cdw15};
  const uint32_t bytes =
      s.data_bytes < sizeof zeros ? (uint32_t)s.data_bytes : (uint32_t)sizeof zeros;
  if ((s.opcode & 1) != 0) {
    command.out = zeros, command.out_bytes = bytes;
  } else {
    command.in = answer_bytes, command.in_bytes = bytes;
  }
  const int status = ini_run(&host.io, &command).status;
  if (exception != NULL) {
    CHECK_MSG(status == exception->status, "%s gives 0x%X, not 0x%X", vector->name, status,
              exception->status);
  } else {
    CHECK_MSG(tgt_status_to_wire((uint16_t)status) == vector->status, "%s gives 0x%X", vector->name,
              status);
  }
}

static void bad_commands_get_their_status(void) {
  CHECK(vector_files_each(CSD_VECTORS_DIR "/bad", check_vector) > 100);
  printf("%d as their files say, %d otherwise\n", as_named, otherwise);
  CHECK_EQ((int)(sizeof exceptions / sizeof exceptions[0]), otherwise);
}

int main(void) {
  static const char *const options[] = {"--capacity", "4096000", NULL};
  struct target_process target;
  if (!target_start(&target, "vectors", options) ||
      !ini_host_open(&host, target.port, 0, INI_HOST)) {
    return 1;
  }
  RUN(bad_commands_get_their_status);
  ini_host_close(&host);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
