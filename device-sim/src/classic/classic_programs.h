/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The list operations, over any lists that classic_list.h reads, and where their results go. */
#ifndef CSD_CLASSIC_PROGRAMS_H
#define CSD_CLASSIC_PROGRAMS_H

#include "classic/classic_list.h"
#include "classic/classic_top.h"

/** Results in DRAM, on their way to the host or to the top heap. */
struct classic_output {
  struct classic_work work;
  bool ranked;
  struct csd_classic_result *records; /* in DRAM */
  uint32_t count;
  uint32_t room; /* records; when it is used up, they are drained */
  struct classic_top top;
  struct csd_classic_result *host; /* what the request returns, and its room */
  uint32_t host_count;
  uint32_t host_room;
  bool overflow; /* more results than host_room */
};

/** Writes a result to DRAM. */
void csd_classic_emit(struct classic_output *output, uint32_t doc, uint64_t score);

/** Ends the records written so far: sends them, or ranks them. */
void csd_classic_drain(struct classic_output *output);

/** Drains, and sends the top hits of a ranked request. */
void csd_classic_finish(struct classic_output *output);

/**
 * The adaptive intersection of 2 to 8 lists, by linear search the sort-merge one. A list may be
 * the output's own records: they are overwritten no earlier than read.
 */
void csd_classic_intersect(struct classic_list *lists, uint32_t list_count, bool linear,
                           struct classic_output *output);

/** The sort-merge union. */
void csd_classic_unite(struct classic_list *lists, uint32_t list_count,
                       struct classic_output *output);

/** What is in `from` and not in `without`. */
void csd_classic_subtract(struct classic_list *from, struct classic_list *without, bool linear,
                          struct classic_output *output);

#endif
