/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The top hits of a ranked request, in a heap in SRAM of which every slot access is counted. */
#ifndef CSD_CLASSIC_TOP_H
#define CSD_CLASSIC_TOP_H

#include "csd/csd_classic.h"

struct classic_top {
  struct csd_classic_result slots[CSD_CLASSIC_TOP]; /* the worst first, while collecting */
  uint32_t count;
};

/** Offers a document; of equal scores the lower document is the better. */
void csd_classic_top_offer(struct classic_top *top, const struct csd_classic_result *result,
                           struct csd_classic_counts *counts);

/** Takes the hits off into `out`, the best first; returns how many. */
uint32_t csd_classic_top_take(struct classic_top *top, struct csd_classic_result *out,
                              struct csd_classic_counts *counts);

#endif
