/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The classic programs: list operations as a first generation of computational SSDs ran them for
 * search engines (Wang and Park, "SSD In-Storage Computing for Search Engines", IEEE Transactions
 * on Computers 2016), on plain entries of 32 bytes in pages of 8 KB. They give exact answers and
 * exact counts of their work; a timing model turns counts into time. The production programs
 * (csd.h) are measured against them; nothing here serves a Lucene query.
 *
 * Functions return 0, or a count, on success and a negated csd_status on failure; csd_last_error()
 * then says what and where. No function allocates memory, reads a clock or keeps state.
 */
#ifndef CSD_CLASSIC_H
#define CSD_CLASSIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a flash page, of an entry and of a result; entries and results a page. */
#define CSD_CLASSIC_PAGE_BYTES 8192u
#define CSD_CLASSIC_ENTRY_BYTES 32u
#define CSD_CLASSIC_PAGE_ENTRIES (CSD_CLASSIC_PAGE_BYTES / CSD_CLASSIC_ENTRY_BYTES)
#define CSD_CLASSIC_RESULT_BYTES 16u
#define CSD_CLASSIC_PAGE_RESULTS (CSD_CLASSIC_PAGE_BYTES / CSD_CLASSIC_RESULT_BYTES)
/** Lists of one request, at least and at most. */
#define CSD_CLASSIC_MIN_LISTS 2u
#define CSD_CLASSIC_MAX_LISTS 8u
/** Hits of a ranked request. */
#define CSD_CLASSIC_TOP 10u
/** Lists of which the longest is less than this many times the shortest are searched linearly. */
#define CSD_CLASSIC_LINEAR_RATIO 4u
/** Most entries of a list. */
#define CSD_CLASSIC_MAX_ENTRIES (1u << 28)
/** Least device memory: a page of the resident list, its results, a page of the streamed list. */
#define CSD_CLASSIC_MIN_MEMORY_BYTES (3u * CSD_CLASSIC_PAGE_BYTES)

/** A posting. */
struct csd_classic_entry {
  uint32_t doc;          /**< ascending in a list, no two equal */
  uint32_t freq;         /**< occurrences of the term in the document; no program looks at it */
  uint64_t score;        /**< what the posting adds to its document's score, computed ahead; fixed
                              point, so that sums do not depend on their order; below 2^60 */
  uint32_t positions[4]; /**< of the term in the document; no program looks at them */
};

/** A document of the answer. */
struct csd_classic_result {
  uint32_t doc;
  uint32_t reserved; /**< 0 */
  uint64_t score;    /**< sum over the matching postings; 0 if the request is not ranked */
};

/** A posting list as it stands on flash: from the start of a page on, back to back. */
struct csd_classic_list {
  const struct csd_classic_entry *entries;
  uint32_t length; /**< entries; may be 0 */
};

enum csd_classic_operation {
  CSD_CLASSIC_INTERSECTION, /**< documents in every list */
  CSD_CLASSIC_UNION,        /**< documents in any list */
  CSD_CLASSIC_DIFFERENCE,   /**< documents of list 0 that are not in list 1; two lists */
};

struct csd_classic_request {
  enum csd_classic_operation operation;
  bool ranked; /**< only the CSD_CLASSIC_TOP best, score descending, then doc ascending;
                    otherwise every document, ascending */
  uint32_t list_count;
  const struct csd_classic_list *lists;
};

/** What a program did. DRAM and SRAM are the device's. */
struct csd_classic_counts {
  uint64_t list_reads;    /**< DRAM: documents read in list order: scans, merges, pivots */
  uint64_t probe_reads;   /**< DRAM: documents read by binary search */
  uint64_t score_reads;   /**< DRAM: scores of postings */
  uint64_t result_writes; /**< DRAM: result records written, intermediate ones too */
  uint64_t result_reads;  /**< DRAM: result records read again, by the ranking */
  uint64_t heap_accesses; /**< SRAM: slots of the top heap read or written */
  uint64_t comparisons;   /**< of two documents or two scores */
  uint64_t pages_loaded;  /**< flash pages brought into DRAM, repetitions too */
  uint64_t results;       /**< documents that matched, ranked or not */
  uint64_t bytes_sent;    /**< results for the host */
};

/**
 * Accesses to lists in DRAM: list_reads + probe_reads. This is what the paper's tables of DRAM
 * accesses count.
 */
uint64_t csd_classic_list_accesses(const struct csd_classic_counts *counts);

/** Every access to DRAM: those to lists, to scores and to results. */
uint64_t csd_classic_dram_accesses(const struct csd_classic_counts *counts);

/** Pages of a list that a program announces before it loads them. */
#define CSD_CLASSIC_ANNOUNCED 64u

enum csd_classic_event_kind {
  CSD_CLASSIC_LOAD,     /**< a flash page was brought into DRAM */
  CSD_CLASSIC_SEND,     /**< results were handed to the host */
  CSD_CLASSIC_ANNOUNCE, /**< a flash page will be loaded if the program comes so far; a device may
                             read it meanwhile */
};

/** A point in a program's run at which it leaves DRAM and processor. */
struct csd_classic_event {
  enum csd_classic_event_kind kind;
  uint32_t list; /**< LOAD, ANNOUNCE: number of the list in the request; SEND: 0 */
  uint32_t page; /**< LOAD, ANNOUNCE: number of the page in the list, from 0; SEND: 0 */
  uint64_t bytes;
  const struct csd_classic_counts *counts; /**< as they stand, this event included; what changed
                                                since the event before is the work between them */
};

/** What a program runs in. */
struct csd_classic_device {
  void *memory;        /**< the DRAM that the program may use, aligned to 8 bytes */
  size_t memory_bytes; /**< at least CSD_CLASSIC_MIN_MEMORY_BYTES, for a union a page more than it
                            has lists; answers do not depend on it, counts do */
  void (*event)(void *context, const struct csd_classic_event *event); /**< or NULL */
  void *context;
};

/** How a program uses its memory, see csd_classic_memory_use. */
enum csd_classic_memory_use {
  CSD_CLASSIC_WHOLE,    /**< every list and all results are in DRAM */
  CSD_CLASSIC_STREAMED, /**< one list and its results are in DRAM, the others pass page by page;
                             a union: all lists pass, results are sent a page at a time */
  CSD_CLASSIC_CHUNKED,  /**< as STREAMED, for one chunk of the resident list after another */
};

/**
 * How `request` will use `memory_bytes`: WHOLE if that fits. The resident list is the shortest, of
 * a difference list 0; STREAMED takes twice its pages, at least 3. An enum csd_classic_memory_use,
 * or NO_MEMORY.
 */
int csd_classic_memory_use(const struct csd_classic_request *request, size_t memory_bytes);

/** Bytes of memory from which on csd_classic_memory_use gives WHOLE. */
uint64_t csd_classic_whole_bytes(const struct csd_classic_request *request);

/**
 * Runs a request. `results` has room for `capacity` records: the shortest list's length suffices
 * for an intersection, list 0's for a difference, the sum of all for a union, CSD_CLASSIC_TOP if
 * ranked. `counts` is set. Returns the number of results. INVALID_ARGUMENT names the
 * parameter that is wrong; NO_SPACE: more results than `capacity`; NO_MEMORY: too little DRAM.
 * Lists that are not ascending give wrong answers, but no access outside them.
 */
int csd_classic_run(const struct csd_classic_request *request,
                    const struct csd_classic_device *device, struct csd_classic_result *results,
                    uint32_t capacity, struct csd_classic_counts *counts);

/** Parameters of a synthetic workload: short lists, as A, and long ones, as B. */
struct csd_classic_workload {
  uint32_t lists;     /**< 2 to 8; list 0, 2, 4... is short, list 1, 3, 5... is long */
  uint32_t longest;   /**< entries of B; 10 MB are 327,680 */
  uint32_t skew;      /**< |B| / |A|, 1 or more; A's length is rounded, and at least 1 */
  uint32_t ratio_ppm; /**< documents common to all lists, per million of |A|; rounded */
  uint32_t universe;  /**< documents are drawn from 0 to universe - 1; at least 4 |B|; 0 stands
                           for 10,000,000, or 4 |B| if that is more */
  uint64_t seed;      /**< the same parameters give the same bytes everywhere */
  uint32_t lengths[CSD_CLASSIC_MAX_LISTS]; /**< all 0, or entries of each list: then A is the
                                                shortest, `longest` the most, and `skew` unused */
};

/** Entries of A, or 0 if `workload` is not valid. */
uint32_t csd_classic_short_length(const struct csd_classic_workload *workload);

/** Documents that all lists have in common: exact, not expected. */
uint32_t csd_classic_common_count(const struct csd_classic_workload *workload);

/**
 * What csd_classic_workload_make needs: entries over all lists, and bytes of scratch memory.
 * INVALID_ARGUMENT names the parameter that is out of range, and its value.
 */
int csd_classic_workload_size(const struct csd_classic_workload *workload, uint64_t *entries,
                              uint64_t *scratch_bytes);

/**
 * Makes the lists, one after the other, in `entries`, and points `lists` (room for
 * workload->lists) to them. `scratch` is aligned to 8 bytes. Documents other than the common ones
 * are drawn independently for each list; none of them is in every list.
 */
int csd_classic_workload_make(const struct csd_classic_workload *workload,
                              struct csd_classic_entry *entries, void *scratch,
                              struct csd_classic_list *lists);

#ifdef __cplusplus
}
#endif

#endif
