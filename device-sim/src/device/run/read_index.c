/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* READ_IDX: reads of a range of LBAs those whose page may match a rule (FLIXR, section 4.2). */
#include "device/run/read_index.h"

#include <string.h>

#include "base/status.h"
#include "core/columns/page/page_rule.h"

/* Copies a rule out of its resource. */
static int rule_of(struct csd_queue *queue, uint32_t number, struct csd_page_rule *rule) {
  struct csd_resources *resources = &queue->device->resources;
  struct csd_resource_slot *slot =
      csd_resource_acquire(resources, CSD_RESOURCE_RULE, number, sizeof *rule * 8);
  if (slot == NULL) {
    return csd_fail(CSD_STATUS_NO_RESOURCE, "READ_IDX: no rule %u", number);
  }
  memcpy(rule, slot->words, sizeof *rule);
  csd_resource_release(resources, slot);
  return csd_page_rule_check(rule);
}

int csd_read_index(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  const uint64_t lba = (uint64_t)c->cdw11 << 32 | c->cdw10;
  const uint32_t count = c->cdw12 + 1;
  uint8_t *bytes = (uint8_t *)(uintptr_t)c->data;
  struct csd_device *device = queue->device;
  struct csd_page_rule rule;
  int status = rule_of(queue, c->cdw13, &rule);
  if (status == 0) {
    status = csd_store_check_range(&device->store, lba, count);
  }
  if (status < 0) {
    return status;
  }
  struct csd_index_matches matches = {0};
  uint8_t *page = bytes + sizeof matches;
  for (uint32_t i = 0; i < count; i++) {
    struct csd_page_range range;
    const bool known =
        csd_page_index_peek(&device->index, lba + i, rule.stamp, c->cdw14 + i, &range);
    matches.known_count += known;
    if (known && !csd_page_rule_may_match(&rule, &range)) {
      continue;
    }
    status = csd_store_read(&device->store, lba + i, 1, page);
    if (status < 0) {
      return status;
    }
    matches.bitmap[i / 64] |= UINT64_C(1) << (i % 64);
    matches.page_count++;
    page += CSD_LBA_BYTES;
  }
  memcpy(bytes, &matches, sizeof matches);
  csd_count(&queue->counts.lbas_read, matches.page_count);
  *dw0 = (uint32_t)(page - bytes);
  return 0;
}
