/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The positions of a term in a doc, some at a time: for docs with more of them than fit beside each
 * other. They are taken less the term's place in the phrase, and compared as signed numbers.
 */
#ifndef CSD_POSITION_STREAM_H
#define CSD_POSITION_STREAM_H

#include "core/phrase/phrase.h"

/** Positions that a stream reads together, at most. */
#define CSD_STREAM_POSITIONS 64u

struct csd_position_stream {
  struct csd_position_posting posting;
  uint32_t taken; /* values of the posting that were read */
  uint32_t at;    /* in `positions` */
  uint32_t count;
  uint32_t positions[CSD_STREAM_POSITIONS + CSD_POSITIONS_SLACK];
};

/** Sets a stream up before the first position of a posting. */
static inline void csd_position_stream_open(struct csd_position_stream *stream,
                                            const struct csd_position_posting *posting) {
  stream->posting = *posting;
  stream->taken = 0;
  stream->at = 0;
  stream->count = 0;
}

/** The current position; there is one. */
static inline int32_t csd_position_stream_current(const struct csd_position_stream *stream) {
  return (int32_t)stream->positions[stream->at];
}

/** Moves on to the next position. Returns 1, 0 if there is none, or a negated status. */
int csd_position_stream_advance(struct csd_position_stream *stream,
                                const struct csd_phrase_term *term);

/** Moves on to the first position that is not below `target`. Returns likewise. */
int csd_position_stream_advance_to(struct csd_position_stream *stream,
                                   const struct csd_phrase_term *term, int32_t target);

#endif
