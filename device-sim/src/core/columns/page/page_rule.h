/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Rules that READ_IDX compares entries of the page index with (FLIXR, Koo et al., IEEE TC 2022,
 * section 4.2: index comparison rules).
 */
#ifndef CSD_PAGE_RULE_H
#define CSD_PAGE_RULE_H

#include <stdbool.h>

#include "core/lists/page_source.h"

/** Checks the bytes of a rule. @return 0, or -INVALID_FIELD */
int csd_page_rule_check(const struct csd_page_rule *rule);

/** Whether a page may hold something that the rule wants, by its entry. */
bool csd_page_rule_may_match(const struct csd_page_rule *rule, const struct csd_page_range *range);

#endif
