/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/device/run/test_read_index.c. */
#include "core/columns/page/page_rule.h"

#include <string.h>

#include "base/status.h"
#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_parts.h"

int csd_page_rule_check(const struct csd_page_rule *rule) {
  static const uint8_t zeros[sizeof rule->reserved];
  const char *field = rule->lo > rule->hi                                ? "lo"
                      : rule->min_doc > rule->limit_doc                  ? "min_doc"
                      : rule->limit_doc > CSD_MAX_DOC                    ? "limit_doc"
                      : memcmp(rule->reserved, zeros, sizeof zeros) != 0 ? "reserved"
                                                                         : NULL;
  return field == NULL ? 0 : csd_fail(CSD_STATUS_INVALID_FIELD, "rule: field %s", field);
}

/* Whether some pair of impacts bounds a posting that is wanted. Without pairs nothing is known. */
static bool impacts_may_match(const struct csd_page_rule *rule, uint64_t impacts) {
  bool any = false;
  for (uint32_t p = 0; p < CSD_IMPACT_PAIRS; p++, impacts >>= 16) {
    const uint32_t freq = (uint32_t)impacts & 0xFF, norm = (uint32_t)(impacts >> 8) & 0xFF;
    if (freq != 0 && freq >= rule->min_freq && norm <= rule->max_norm) {
      return true;
    }
    any |= freq != 0;
  }
  return !any;
}

bool csd_page_rule_may_match(const struct csd_page_rule *rule, const struct csd_page_range *range) {
  if ((range->lead_first_doc & CSD_PAGE_RANGE_COLUMN) == 0) {
    return range->lead_first_doc < rule->limit_doc && range->lead_last_doc >= rule->min_doc &&
           impacts_may_match(rule, range->lead_impacts);
  }
  const struct csd_column_entry entry = csd_column_entry_of(range);
  const uint32_t last = csd_column_round_down(rule->hi);
  return entry.first_doc < rule->limit_doc && entry.last_doc >= rule->min_doc &&
         entry.min <= last && entry.max >= csd_column_round_up(rule->lo) &&
         csd_parts_may_match(&entry, csd_column_round_down(rule->lo), last);
}
