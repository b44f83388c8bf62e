/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The difference: each element of one list is looked up in the other. */
#include "classic/classic_programs.h"

void csd_classic_subtract(struct classic_list *from, struct classic_list *without, bool linear,
                          struct classic_output *output) {
  for (; csd_classic_more(from); from->at++) {
    const uint32_t doc = classic_read(from);
    uint32_t successor = 0;
    if (csd_classic_seek(without, doc, linear, &successor) && successor == doc) {
      continue;
    }
    csd_classic_emit(output, doc, output->ranked ? classic_read_score(from) : 0);
  }
}
