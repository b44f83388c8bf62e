/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Rebuilds, after a crash, the entries of index pages that were left pending. */
#ifndef CSD_INDEX_REBUILD_H
#define CSD_INDEX_REBUILD_H

#include "device/index/index_file.h"

struct csd_rebuilt {
  uint64_t entries; /* rebuilt from the pages on the store */
  bool complete;    /* none is left pending */
};

/**
 * Looks at every index page of a file. Reads the page of each entry that is pending, and of every
 * entry of an index page that is damaged, and no other page.
 *
 * @param group  room for a group
 * @param page   room for an index page
 */
struct csd_rebuilt csd_index_rebuild(struct csd_index_file *file, struct csd_store *store,
                                     struct csd_index_group *group, uint8_t *page);

#endif
