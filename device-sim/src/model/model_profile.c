/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The limits of a profile's fields. They allow any device that was built or soon could be. They
 * refuse a wrong unit or a missing number, and keep the player's sums from overflowing.
 */
#include <string.h>

#include "base/status.h"
#include "csd/csd_model.h"

#define KILO UINT64_C(1000)
#define MEGA (KILO * KILO)
#define GIGA (MEGA * KILO)
#define TERA (GIGA * KILO)

struct limit {
  const char *name;
  uint16_t offset;
  uint8_t size; /* bytes of an element */
  uint8_t count;
  uint64_t least, most;
};

#define FIELD(field, least, most)                  \
  {#field,                                         \
   offsetof(struct csd_model_profile, field),      \
   sizeof(((struct csd_model_profile *)0)->field), \
   1,                                              \
   least,                                          \
   most}
/* The first `used` elements have limits; the others must be zero. */
#define ARRAY(field, used, least, most)               \
  {#field,                                            \
   offsetof(struct csd_model_profile, field),         \
   sizeof(((struct csd_model_profile *)0)->field[0]), \
   used,                                              \
   least,                                             \
   most}
#define WORK_KINDS (CSD_MODEL_WORK_TOKEN_COMPARE + 1)
#define COMPONENTS (CSD_MODEL_COMPONENT_HOST_DRAM + 1)

static const struct limit limits[] = {
    FIELD(link_bytes_per_s, MEGA, TERA),
    FIELD(link_command_ns, 0, GIGA),
    FIELD(link_completion_ns, 0, GIGA),
    FIELD(link_completion, CSD_MODEL_COMPLETION_POLLED, CSD_MODEL_COMPLETION_INTERRUPT),
    FIELD(link_poll_ns, 0, GIGA),
    FIELD(link_queue_depth, 1, 65536),
    FIELD(send_chunk_bytes, 512, GIGA),
    FIELD(send_chunk_ns, 0, GIGA),
    FIELD(session_open_ns, 0, GIGA),
    FIELD(core_hz, MEGA, 100 * GIGA),
    FIELD(core_count, 1, 1024),
    FIELD(core_switch_ns, 0, MEGA),
    FIELD(core_slice_ns, 0, GIGA),
    FIELD(program_read_ahead, 0, 4096),
    ARRAY(core_millicycles, WORK_KINDS, 0, 100 * MEGA),
    ARRAY(access_ps, WORK_KINDS, 0, 100 * MEGA),
    ARRAY(access_bytes, WORK_KINDS, 0, 65536),
    FIELD(dram_bytes, 65536, UINT64_C(1) << 50),
    FIELD(dram_bytes_per_s, MEGA, 100 * TERA),
    FIELD(firmware_count, 1, 1024),
    FIELD(firmware_read_ns, 0, GIGA),
    FIELD(firmware_write_ns, 0, GIGA),
    FIELD(flash_writes_in_flight, 1, 4096),
    FIELD(flash_channels, 1, 128),
    FIELD(flash_ways, 1, 64),
    FIELD(flash_dies, 1, 64),
    FIELD(flash_planes, 1, 16),
    FIELD(flash_independent_planes, 0, 1),
    FIELD(flash_page_bytes, CSD_LBA_BYTES, 1 << 20),
    FIELD(flash_block_pages, 4, 65536),
    FIELD(flash_plane_blocks, 4, 1 << 20),
    FIELD(flash_spare_ppm, 10 * KILO, 900 * KILO),
    FIELD(flash_gc_blocks, 1, 1024),
    FIELD(flash_page_types, 1, CSD_MODEL_PAGE_TYPES),
    FIELD(flash_command_ns, 0, MEGA),
    FIELD(flash_erase_ns, KILO, GIGA),
    FIELD(ecc_step_bytes, 64, 65536),
    FIELD(ecc_step_ns, 0, MEGA),
    FIELD(flash_policy, 0,
          CSD_MODEL_FLASH_POLICY_CHIP_ALONE | CSD_MODEL_FLASH_POLICY_TRANSFERS_FIRST),
    FIELD(channel_bytes_per_s, MEGA, TERA),
    FIELD(host_hz, MEGA, 100 * GIGA),
    FIELD(host_dram_bytes_per_s, MEGA, 100 * TERA),
    FIELD(host_core_count, 1, 1024),
    FIELD(host_read_cpu_ns, 0, GIGA),
    FIELD(host_read_wait_ns, 0, GIGA),
    FIELD(host_read_ahead, 0, 4096),
    FIELD(host_query_ns, 0, GIGA),
    FIELD(host_rank_ps, 0, GIGA),
    ARRAY(host_millicycles, WORK_KINDS, 0, 100 * MEGA),
    ARRAY(host_access_ps, WORK_KINDS, 0, 100 * MEGA),
    ARRAY(host_access_bytes, WORK_KINDS, 0, 65536),
    ARRAY(power_idle_mw, COMPONENTS, 0, MEGA),
    ARRAY(power_active_mw, COMPONENTS, 0, MEGA),
    FIELD(flash_read_pj, 0, TERA),
    FIELD(flash_program_pj, 0, TERA),
    FIELD(flash_erase_pj, 0, TERA),
    FIELD(link_pj_per_byte, 0, MEGA),
    FIELD(dram_pj_per_byte, 0, MEGA),
    FIELD(channel_pj_per_byte, 0, MEGA),
    FIELD(host_dram_pj_per_byte, 0, MEGA),
    FIELD(core_power_hz, 0, 100 * GIGA),
    FIELD(host_power_hz, 0, 100 * GIGA),
    FIELD(copy_bytes_per_s, 0, 100 * TERA),
    FIELD(thread_worker_ns, 0, MEGA),
    FIELD(thread_master_ns, 0, MEGA),
    FIELD(host_read_pj_per_byte, 0, MEGA),
};

static uint64_t value_at(const struct csd_model_profile *profile, const struct limit *limit,
                         uint32_t element) {
  uint64_t value = 0; /* little-endian, as the wire */
  memcpy(&value, (const uint8_t *)profile + limit->offset + element * limit->size, limit->size);
  return value;
}

static int refuse(const char *field, uint64_t value, uint64_t least, uint64_t most) {
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "profile: %s is %llu, not %llu to %llu", field,
                  (unsigned long long)value, (unsigned long long)least, (unsigned long long)most);
}

static int refuse_element(const char *field, uint32_t element, uint64_t value, uint64_t least,
                          uint64_t most) {
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "profile: %s[%u] is %llu, not %llu to %llu", field,
                  element, (unsigned long long)value, (unsigned long long)least,
                  (unsigned long long)most);
}

static int check_limit(const struct csd_model_profile *profile, const struct limit *limit) {
  for (uint32_t i = 0; i < limit->count; i++) {
    const uint64_t value = value_at(profile, limit, i);
    if (value >= limit->least && value <= limit->most) {
      continue;
    }
    return limit->count == 1 ? refuse(limit->name, value, limit->least, limit->most)
                             : refuse_element(limit->name, i, value, limit->least, limit->most);
  }
  return 0;
}

/* Checks that the elements without a meaning are zero. */
static int check_rest(const char *field, const uint32_t *array, uint32_t used, uint32_t slots) {
  for (uint32_t i = used; i < slots; i++) {
    if (array[i] != 0) {
      return refuse_element(field, i, array[i], 0, 0);
    }
  }
  return 0;
}

static int check_arrays(const struct csd_model_profile *p) {
  const uint32_t *const by_work[] = {p->core_millicycles, p->access_ps,      p->access_bytes,
                                     p->host_millicycles, p->host_access_ps, p->host_access_bytes};
  static const char *const names[] = {"core_millicycles", "access_ps",      "access_bytes",
                                      "host_millicycles", "host_access_ps", "host_access_bytes"};
  int status = 0;
  for (uint32_t i = 0; i < 6 && status == 0; i++) {
    status = check_rest(names[i], by_work[i], WORK_KINDS, CSD_MODEL_WORK_SLOTS);
  }
  if (status == 0) {
    status = check_rest("power_idle_mw", p->power_idle_mw, COMPONENTS, CSD_MODEL_COMPONENT_SLOTS);
  }
  if (status == 0) {
    status =
        check_rest("power_active_mw", p->power_active_mw, COMPONENTS, CSD_MODEL_COMPONENT_SLOTS);
  }
  return status;
}

static int check_page_types(const struct csd_model_profile *p) {
  for (uint32_t i = 0; i < p->flash_page_types; i++) {
    if (p->flash_read_ns[i] < KILO || p->flash_read_ns[i] > GIGA) {
      return refuse_element("flash_read_ns", i, p->flash_read_ns[i], KILO, GIGA);
    }
    if (p->flash_program_ns[i] < KILO || p->flash_program_ns[i] > GIGA) {
      return refuse_element("flash_program_ns", i, p->flash_program_ns[i], KILO, GIGA);
    }
  }
  const int status =
      check_rest("flash_read_ns", p->flash_read_ns, p->flash_page_types, CSD_MODEL_PAGE_TYPES);
  if (status < 0) {
    return status;
  }
  return check_rest("flash_program_ns", p->flash_program_ns, p->flash_page_types,
                    CSD_MODEL_PAGE_TYPES);
}

/* Checks rules about several fields. */
static int check_together(const struct csd_model_profile *p) {
  const bool polled = p->link_completion == CSD_MODEL_COMPLETION_POLLED;
  if (polled != (p->link_poll_ns != 0)) {
    return refuse("link_poll_ns", p->link_poll_ns, polled ? 1 : 0, polled ? GIGA : 0);
  }
  if ((p->flash_page_bytes & (p->flash_page_bytes - 1)) != 0) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "profile: flash_page_bytes is %u, no power of two",
                    p->flash_page_bytes);
  }
  const uint64_t planes =
      (uint64_t)p->flash_channels * p->flash_ways * p->flash_dies * p->flash_planes;
  if (planes > 65536) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "profile: flash_channels x flash_ways x flash_dies x flash_planes is %llu, not "
                    "1 to 65536",
                    (unsigned long long)planes);
  }
  const uint64_t pages = planes * p->flash_plane_blocks * p->flash_block_pages;
  if (pages > UINT32_MAX) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "profile: flash_plane_blocks is %u, which makes %llu flash pages, not 1 to %u",
                    p->flash_plane_blocks, (unsigned long long)pages, UINT32_MAX);
  }
  if (p->flash_gc_blocks >= p->flash_plane_blocks / 2) {
    return refuse("flash_gc_blocks", p->flash_gc_blocks, 1, p->flash_plane_blocks / 2 - 1);
  }
  return 0;
}

static int check_name(const struct csd_model_profile *p) {
  bool ended = false;
  for (uint32_t i = 0; i < sizeof p->name; i++) {
    const uint8_t c = p->name[i];
    if ((i == 0 && c == 0) || (ended && c != 0) || (c != 0 && (c < 0x21 || c > 0x7E))) {
      return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                      "profile: name has byte %u at %u; it is 1 to 32 of 0x21 to 0x7E, then zeros",
                      c, i);
    }
    ended = c == 0;
  }
  return 0;
}

int csd_profile_check(const struct csd_model_profile *profile) {
  if (profile->magic != CSD_MODEL_PROFILE_MAGIC) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "profile: magic is 0x%08X, not 0x%08X",
                    profile->magic, CSD_MODEL_PROFILE_MAGIC);
  }
  if (profile->version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "profile: version is %u, not %u",
                    profile->version, CSD_WIRE_VERSION);
  }
  if (profile->reserved0 != 0) {
    return refuse("reserved0", profile->reserved0, 0, 0);
  }
  int status = check_name(profile);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0] && status == 0; i++) {
    status = check_limit(profile, &limits[i]);
  }
  if (status == 0) {
    status = check_arrays(profile);
  }
  if (status == 0) {
    status = check_page_types(profile);
  }
  if (status == 0) {
    status = check_together(profile);
  }
  return status;
}
