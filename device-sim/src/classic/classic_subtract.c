/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The difference: each element of one list is looked up in the other. */
#include "classic/classic_programs.h"

void classic_subtract(struct classic_list *from, struct classic_list *without, bool linear,
                      struct classic_output *output) {
  for (; classic_more(from); from->at++) {
    const uint32_t doc = classic_read(from);
    uint32_t successor = 0;
    if (classic_seek(without, doc, linear, &successor) && successor == doc) {
      continue;
    }
    classic_emit(output, doc, output->ranked ? classic_read_score(from) : 0);
  }
}
