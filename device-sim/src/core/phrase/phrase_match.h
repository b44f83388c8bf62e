/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Occurrences of a phrase in docs. */
#ifndef CSD_PHRASE_MATCH_H
#define CSD_PHRASE_MATCH_H

#include "core/phrase/phrase.h"
#include "core/phrase/position_stream.h"

/** The frequency up to which counting by float additions of 1, as Lucene does, comes to. */
#define CSD_PHRASE_MAX_COUNT (UINT32_C(1) << 24)

/** Docs that are looked at together, at most; and their positions of one term. */
#define CSD_PHRASE_GROUP_DOCS CSD_BLOCK_POSTINGS
#define CSD_PHRASE_GROUP_POSITIONS 2048u

/** Docs of a group of which no term has more than CSD_FEW_POSITIONS. */
struct csd_phrase_few {
  uint32_t starts[CSD_PHRASE_GROUP_DOCS * CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK];
  uint32_t others[CSD_PHRASE_GROUP_DOCS * CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK];
  uint16_t docs[CSD_PHRASE_GROUP_DOCS]; /* those that may still match */
  uint8_t left[CSD_PHRASE_GROUP_DOCS];  /* of each of them, bits of the starts that others allow */
};

/** The other docs. */
struct csd_phrase_more {
  uint32_t starts[CSD_PHRASE_GROUP_POSITIONS + CSD_POSITIONS_SLACK]; /* where it may begin */
  uint32_t others[CSD_PHRASE_GROUP_POSITIONS + CSD_POSITIONS_SLACK];
  uint16_t docs[CSD_PHRASE_GROUP_DOCS]; /* those that may still match */
  uint16_t at[CSD_PHRASE_GROUP_DOCS];   /* of each of them, where its starts are */
  uint16_t count[CSD_PHRASE_GROUP_DOCS];
};

/** Positions that docs of a group have. */
struct csd_phrase_group {
  uint32_t most[CSD_PHRASE_GROUP_DOCS]; /* of each doc, most positions of a term */
  struct csd_phrase_few few;
  struct csd_phrase_more more;
};

/** Working memory for the positions of docs. */
struct csd_phrase_positions {
  struct csd_phrase_group group;
  struct csd_position_stream *streams; /* one for each term */
};

/**
 * Counts the occurrences of a phrase in docs that all its lists have.
 *
 * @param n       how many docs, at most CSD_PHRASE_GROUP_DOCS
 * @param all     false: one of each doc is enough
 * @param counts  receives one for each doc, at most CSD_PHRASE_MAX_COUNT
 * @return 0, or a negated status
 */
int csd_phrase_count(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                     uint32_t n, bool all, struct csd_phrase_positions *memory, uint32_t *counts);

#endif
