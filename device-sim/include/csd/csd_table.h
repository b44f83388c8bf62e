/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Tables of 32-bit integers in pages of 8 KB, and the scans that a first generation of
 * computational SSDs ran over them (Do et al., "Query Processing on Smart SSDs", SIGMOD 2013). The
 * pages stand on a device: csd_table_write puts them there, csd_table_scan reads them back and
 * records what it does for the timing model. Nothing here serves a Lucene query.
 *
 * Functions return 0 on success and a negated csd_status on failure; csd_last_error() then says
 * what and where.
 */
#ifndef CSD_TABLE_H
#define CSD_TABLE_H

#include "csd/csd.h"
#include "csd/csd_model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CSD_TABLE_PAGE_BYTES 8192u
/** Columns of a table, at least and at most. */
#define CSD_TABLE_MIN_COLUMNS 2u
#define CSD_TABLE_MAX_COLUMNS 64u
/** Values of all columns are below this. */
#define CSD_TABLE_RANGE 1000000u
/** Pages that a program on the device announces before it takes them. */
#define CSD_TABLE_ANNOUNCED 64u
/** Pages that one read of the host brings, and reads that it announces. */
#define CSD_TABLE_HOST_READ_PAGES 32u
#define CSD_TABLE_HOST_ANNOUNCED 4u
/** Bytes of results that a program on the device collects before it hands them to the host. */
#define CSD_TABLE_RESULT_BUFFER (1u << 20)
/** Bytes of a program's parameters: the table's schema, the bound, the kind of result. */
#define CSD_TABLE_OPEN_BYTES 64u

/** How a page holds its rows. */
enum csd_table_layout {
  /** Row after row, as SQL Server's heap pages: a header of 96 bytes, then rows, each with 4 bytes
   * of status, its values, 2 bytes with the number of columns and a bit a column for nulls; 2 bytes
   * a row at the end of the page say where the row is. */
  CSD_TABLE_NSM,
  CSD_TABLE_PAX, /**< column after column, behind a header as long */
};

/** A table, which stands on a device from LBA 0 on. Its last page is full in any case. */
struct csd_table {
  uint32_t columns;
  enum csd_table_layout layout;
  uint64_t rows;
};

/** A scan of the rows whose first column is below a bound. */
struct csd_table_query {
  uint32_t bound;
  bool sums; /**< it returns the sum of their second column; else that column itself */
};

/** What a scan found. */
struct csd_table_found {
  uint64_t matches; /**< rows */
  uint64_t sum;     /**< of their second column */
};

/** A query, its answer, and what was recorded of it. */
struct csd_table_run {
  struct csd_table_query query;
  struct csd_table_found found; /**< set by csd_table_scan */
  struct csd_model_log *log;    /**< set up by the caller */
};

/** Rows that fit into a page of either layout. */
uint32_t csd_table_page_rows(uint32_t columns);

/** Pages of a table. */
uint64_t csd_table_pages(const struct csd_table *table);

/** The value of a row: below CSD_TABLE_RANGE, at random, the same in every table. */
uint32_t csd_table_value(uint64_t row, uint32_t column);

/** Makes the page of that number. */
void csd_table_make_page(const struct csd_table *table, uint64_t number, uint8_t *page);

/** A value of a page, found as a program finds it: by the row's slot, or in the column's part. */
uint32_t csd_table_page_value(const struct csd_table *table, const uint8_t *page, uint32_t row,
                              uint32_t column);

/** Writes all pages of a table to the device, over whatever is there. */
int csd_table_write(struct csd_queue *queue, const struct csd_table *table);

/**
 * Scans a table that csd_table_write wrote, for several queries at once, each recorded as a session
 * of its own: on the device page by page, on the host in reads of CSD_TABLE_HOST_READ_PAGES.
 */
int csd_table_scan(struct csd_queue *queue, const struct csd_table *table, enum csd_model_side side,
                   struct csd_table_run *runs, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
