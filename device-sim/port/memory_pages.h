/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A page source over pages that lie in memory: the least that a port has to write itself. A device
 * puts its flash controller, its page cache and its page index here.
 */
#ifndef PORT_MEMORY_PAGES_H
#define PORT_MEMORY_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "core/lists/page_source.h"

/** A page and its LBA; CSD_PAGE_SLACK_BYTES more bytes may be read behind it. */
struct memory_page {
  uint64_t lba;
  const uint8_t *bytes;
};

struct memory_pages {
  const struct memory_page *pages;
  size_t count;
  const uint64_t *live_docs; /**< of resource 1; NULL: there is none */
  uint32_t live_docs_words;
  uint32_t pinned; /**< pins not yet undone */
};

/** A page source over `pages`, which stay. */
struct csd_page_source memory_pages_source(struct memory_pages *pages);

#endif
