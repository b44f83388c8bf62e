/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Profiles: every field has limits, and a refusal names the field and its value. */
#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/vectors/wire_fields.h"

static void a_valid_profile_is_taken(void) {
  const struct csd_model_profile profile = model_profile();
  CHECK_OK(csd_profile_check(&profile));
}

/* From the wire's own list of fields, so that none can be forgotten. */
static void every_element_of_every_field_is_limited(void) {
  uint32_t count = 0;
  for (size_t i = 0; i < wire_field_count; i++) {
    const struct wire_field *field = &wire_fields[i];
    if (strcmp(field->structure, "model_profile") != 0) {
      continue;
    }
    const uint32_t elements = field->count > 0 ? field->count : 1;
    for (uint32_t e = 0; e < elements; e++, count++) {
      struct csd_model_profile profile = model_profile();
      const uint32_t size = wire_type_bytes(field->type);
      memset((uint8_t *)&profile + field->offset + e * size, 0xFF, size);
      CHECK_MSG(csd_profile_check(&profile) < 0, "%s[%u] may be anything", field->name, e);
      const char *text = csd_last_error();
      CHECK_MSG(strstr(text, field->name) != NULL, "%s[%u]: %s", field->name, e, text);
    }
  }
  CHECK(count > 250);
}

static void expect(const struct csd_model_profile *profile, const char *text) {
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_profile_check(profile));
  CHECK_MSG(strcmp(csd_last_error(), text) == 0, "\"%s\", not \"%s\"", csd_last_error(), text);
}

static void refusals_name_field_value_and_limits(void) {
  struct csd_model_profile profile = model_profile();
  profile.flash_channels = 0;
  expect(&profile, "profile: flash_channels is 0, not 1 to 128");
  profile = model_profile();
  profile.core_hz = 400;
  expect(&profile, "profile: core_hz is 400, not 1000000 to 100000000000");
  profile = model_profile();
  profile.access_ps[CSD_MODEL_WORK_PROBE_READ] = 100000001;
  expect(&profile, "profile: access_ps[1] is 100000001, not 0 to 100000000");
  profile = model_profile();
  profile.power_active_mw[CSD_MODEL_COMPONENT_HOST_DRAM + 1] = 1;
  expect(&profile, "profile: power_active_mw[9] is 1, not 0 to 0");
  profile = model_profile();
  profile.flash_page_types = 2;
  expect(&profile, "profile: flash_read_ns[1] is 0, not 1000 to 1000000000");
  profile = model_profile();
  profile.flash_page_bytes = 12288;
  expect(&profile, "profile: flash_page_bytes is 12288, no power of two");
  profile = model_profile();
  profile.link_poll_ns = 1000;
  expect(&profile, "profile: link_poll_ns is 1000, not 0 to 0");
  profile.link_completion = CSD_MODEL_COMPLETION_POLLED;
  CHECK_OK(csd_profile_check(&profile));
  profile.link_poll_ns = 0;
  expect(&profile, "profile: link_poll_ns is 0, not 1 to 1000000000");
  profile = model_profile();
  profile.flash_gc_blocks = 32;
  expect(&profile, "profile: flash_gc_blocks is 32, not 1 to 31");
}

static void too_many_planes_or_pages_are_refused(void) {
  struct csd_model_profile profile = model_profile();
  profile.flash_channels = 128;
  profile.flash_ways = 64;
  profile.flash_dies = 64;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_profile_check(&profile));
  CHECK(strstr(csd_last_error(), "is 1048576, not 1 to 65536") != NULL);
  profile = model_profile();
  profile.flash_plane_blocks = 1 << 20;
  profile.flash_block_pages = 65536;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_profile_check(&profile));
  CHECK(strstr(csd_last_error(), "flash_plane_blocks") != NULL);
}

static void other_versions_are_refused(void) {
  struct csd_model_profile profile = model_profile();
  profile.version++;
  CHECK_STATUS(CSD_STATUS_UNSUPPORTED_VERSION, csd_profile_check(&profile));
}

static void a_name_is_text_and_zeros(void) {
  struct csd_model_profile profile = model_profile();
  profile.name[0] = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_profile_check(&profile));
  profile = model_profile();
  profile.name[20] = 'x';
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_profile_check(&profile));
  memset(profile.name, 'x', sizeof profile.name);
  CHECK_OK(csd_profile_check(&profile));
}

int main(void) {
  RUN(a_valid_profile_is_taken);
  RUN(every_element_of_every_field_is_limited);
  RUN(refusals_name_field_value_and_limits);
  RUN(too_many_planes_or_pages_are_refused);
  RUN(other_versions_are_refused);
  RUN(a_name_is_text_and_zeros);
  return check_result();
}
