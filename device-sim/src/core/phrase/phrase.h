/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A phrase: terms, and where each of them stands in it. */
#ifndef CSD_PHRASE_H
#define CSD_PHRASE_H

#include "core/lists/list_cursor.h"
#include "core/positions/position_cursor.h"

/** A term of a phrase. */
struct csd_phrase_term {
  struct csd_list_cursor *list;
  struct csd_position_cursor *positions;
  uint32_t place; /* in the phrase */
};

struct csd_phrase {
  struct csd_phrase_term *terms; /* fewest postings first */
  uint32_t count;
  uint32_t first; /* which of them the plan names first: its positions are counted */
  bool unequal;   /* these are all different in a doc, so no term has fewer than are counted */
};

#endif
