/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "memory_pages.h"

#include "base/status.h"
#include "core/columns/page/stored_page.h"
#include "csd/csd_wire.h"

static const uint8_t *find(const struct memory_pages *pages, uint64_t lba) {
  for (size_t i = 0; i < pages->count; i++) {
    if (pages->pages[i].lba == lba) {
      return pages->pages[i].bytes;
    }
  }
  return NULL;
}

/* A device checks a page once, when it loads it; here every pin is a load. */
static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  struct memory_pages *pages = context;
  const uint8_t *bytes = find(pages, lba);
  if (bytes == NULL) {
    return csd_fail(CSD_STATUS_OUT_OF_RANGE, "no page");
  }
  const int status = csd_stored_page_check(bytes);
  if (status < 0) {
    return status;
  }
  const struct csd_stored_page stored = csd_stored_page_of(bytes);
  if (stored.stamp != stamp || stored.file_page != file_page) {
    return csd_fail(CSD_STATUS_PAGE_STALE, "another file's page");
  }
  pages->pinned++;
  *page = bytes;
  return 0;
}

static void unpin(void *context, const uint8_t *page) {
  (void)page;
  ((struct memory_pages *)context)->pinned--;
}

/* What a device keeps of each page in its index; here it is read from the page itself. */
static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  const uint8_t *bytes = find(context, lba);
  struct csd_stored_page stored;
  if (bytes == NULL || !csd_stored_page_read(bytes, &stored) || stored.stamp != stamp ||
      stored.file_page != file_page) {
    return false;
  }
  *range = stored.range;
  return true;
}

static const uint64_t *doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  const struct memory_pages *pages = context;
  return resource == 1 && (uint64_t)pages->live_docs_words * 64 >= doc_count ? pages->live_docs
                                                                             : NULL;
}

struct csd_page_source memory_pages_source(struct memory_pages *pages) {
  return (struct csd_page_source){
      .context = pages, .pin = pin, .unpin = unpin, .peek = peek, .doc_bits = doc_bits};
}
