/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Programs over pages of rows, as Summarizer had them (Koo et al., MICRO 2017, section 4): queries
 * 1, 6 and 14 of TPC-H and a similarity join. On the device they are a program of tasks
 * (csd_rows_tasks): INIT_TSK sets its variables up, READ_PROC processes a page whole, READ_FILT
 * filters it for the host, FINAL leaves what was found. The host does the same with functions:
 * COMPUTE over pages that came raw, the rest of filtered ones, GATHER. Answers are exact, and every
 * row, value and token that is looked at is counted. Nothing here serves a Lucene query.
 *
 * A page has a head of two numbers of 32 bits, of its rows and of its valid bytes; then the offset
 * of each row, 16 bits; then rows anywhere. csd_rows_item, csd_rows_part and csd_rows_record say
 * where values are in a row. All numbers are little-endian.
 *
 * Functions return 0, or a count, on success and a negated csd_status on failure; csd_last_error()
 * then says what and where.
 */
#ifndef CSD_ROWS_H
#define CSD_ROWS_H

#include "csd/csd.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a page and of its head, and sums of a group. */
#define CSD_ROWS_PAGE_BYTES 16384u
#define CSD_ROWS_HEAD_BYTES 8u
#define CSD_ROWS_SUMS 6u
/** Groups that a query has at most, and query records of a join. */
#define CSD_ROWS_MAX_GROUPS 16u
#define CSD_ROWS_MAX_QUERIES 65536u
/** Parts that the hash table of query 14 has room for. */
#define CSD_ROWS_MAX_PARTS (1u << 20)

/** Offsets in a row of LINEITEM; behind the head are strings, each with its length in a byte. */
enum csd_rows_item {
  CSD_ROWS_ITEM_PART = 0,       /**< 32 bits */
  CSD_ROWS_ITEM_QUANTITY = 4,   /**< 32 bits */
  CSD_ROWS_ITEM_PRICE = 8,      /**< 32 bits, cents */
  CSD_ROWS_ITEM_DISCOUNT = 12,  /**< 8 bits, percent */
  CSD_ROWS_ITEM_TAX = 13,       /**< 8 bits, percent */
  CSD_ROWS_ITEM_RETURNED = 14,  /**< a letter */
  CSD_ROWS_ITEM_STATUS = 15,    /**< a letter */
  CSD_ROWS_ITEM_SHIPPED = 16,   /**< 16 bits, days since 1970 */
  CSD_ROWS_ITEM_HEAD_BYTES = 34 /**< the other columns of the table are in between */
};

/** Offsets in a row of PART; strings follow: name, manufacturer, brand, type, and others. */
enum csd_rows_part {
  CSD_ROWS_PART_KEY = 0, /**< 32 bits */
  CSD_ROWS_PART_HEAD_BYTES = 12
};

/** Offsets in a record of the join: its number, how many tokens it has, the tokens, ascending. */
enum csd_rows_record {
  CSD_ROWS_RECORD_NUMBER = 0,
  CSD_ROWS_RECORD_COUNT = 4,
  CSD_ROWS_RECORD_TOKENS = 8
};

enum csd_rows_program {
  CSD_ROWS_QUERY_1,  /**< LINEITEM: six sums by two letters */
  CSD_ROWS_QUERY_6,  /**< LINEITEM: one sum over a narrow filter */
  CSD_ROWS_QUERY_14, /**< LINEITEM: two sums, with the hash table of parts */
  CSD_ROWS_BUILD,    /**< PART: puts the parts into the hash table */
  CSD_ROWS_JOIN, /**< records: pairs with the query records, as algorithms 4 and 5 are printed */
  CSD_ROWS_JOIN_EXACT /**< the same without the two faults by which these lose pairs */
};

/** What a program did. */
struct csd_rows_counts {
  uint64_t rows; /**< found by their slots, and a value of each looked at */
  uint64_t
      values; /**< further ones looked at, copied, or added to a sum; entries of a hash table */
  uint64_t tokens; /**< compared */
};

/** Sums of a group; of a join: pairs, and the sum of query * 2^32 + record over them. */
struct csd_rows_group {
  uint32_t key; /**< of query 1: the two letters */
  uint32_t reserved;
  int64_t sums[CSD_ROWS_SUMS];
};

/**
 * The data of INIT_TSK for csd_rows_tasks; query records follow. Windows are of pages: first those
 * of PART, which CSD_ROWS_BUILD sees, then those of the program. READ_FILT does not see PART.
 */
struct csd_rows_init {
  uint32_t program;   /**< csd_rows_program */
  uint32_t parts;     /**< that the hash table has room for */
  uint64_t part_lba;  /**< of the first page of PART */
  uint64_t first_lba; /**< of the first page of the program */
  uint32_t part_pages;
  uint32_t pages;
};

/** The programs as one of a device's own: csd_device_options.task_programs. */
extern const struct csd_task_program csd_rows_tasks;

/** Variables of a program on one side. */
struct csd_rows_task;

/**
 * Sets up the variables of the host.
 *
 * @param parts   that CSD_ROWS_BUILD will see, 0 to CSD_ROWS_MAX_PARTS
 * @param queries query records, each as a row of records, back to back; copied
 * @param words   of 32 bits that they have
 * @return 0; NO_MEMORY, or INVALID_ARGUMENT if the query records are cut off, or too many
 */
int csd_rows_create(uint32_t parts, const uint32_t *queries, uint32_t words,
                    struct csd_rows_task **task);

/** Ends a task; NULL is fine. */
void csd_rows_destroy(struct csd_rows_task *task);

/**
 * Runs a program over a page: COMPUTE.
 *
 * @return 0; PAGE_CORRUPT, or NO_SPACE if the hash table or the groups are full
 */
int csd_rows_process(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *page,
                     struct csd_rows_counts *counts);

/**
 * Runs the filter of a program over a page. What the other side needs of the rows that
 * pass goes to `out`.
 *
 * @return bytes in `out`; as csd_rows_process, and NO_SPACE if `room` is too little
 */
int csd_rows_filter(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *page,
                    uint8_t *out, uint32_t room, struct csd_rows_counts *counts);

/** Does the rest of a program over what a filter has let through. Returns as csd_rows_process. */
int csd_rows_rest(struct csd_rows_task *task, enum csd_rows_program program, const uint8_t *rows,
                  uint32_t bytes, struct csd_rows_counts *counts);

/** Copies what was found. Returns the number of groups. */
uint32_t csd_rows_result(const struct csd_rows_task *task, struct csd_rows_group *groups);

#ifdef __cplusplus
}
#endif

#endif
