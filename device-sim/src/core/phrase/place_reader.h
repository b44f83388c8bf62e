/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The positions that a doc has at one place of a phrase: those of all the place's terms, ascending,
 * each as often as it comes. They are taken less the place.
 */
#ifndef CSD_PLACE_READER_H
#define CSD_PLACE_READER_H

#include "core/phrase/position_stream.h"

struct csd_place_reader {
  const uint32_t *positions;
  uint32_t at; /* in `positions` */
  uint32_t count;
  struct csd_position_stream *streams; /* of the place's terms; NULL: there are no more */
  const struct csd_phrase_term *terms; /* likewise */
  uint32_t stream_count;
  uint32_t merged[32]; /* `positions`, if they come from streams */
};

/** Sets a reader up before `count` positions. */
static inline void csd_place_reader_open(struct csd_place_reader *reader, const uint32_t *positions,
                                         uint32_t count) {
  reader->positions = positions;
  reader->at = 0;
  reader->count = count;
  reader->streams = NULL;
}

/**
 * Sets a reader up before the positions of doc `i` at a place.
 *
 * @param next     [term], of alternatives: the first entry of a doc that is not before `i`
 * @param streams  one for each term of the place; kept
 * @return 0, or a negated status
 */
int csd_place_reader_stream(struct csd_place_reader *reader, const struct csd_phrase *phrase,
                            const struct csd_phrase_place *place,
                            const struct csd_phrase_docs *docs, uint32_t i, const uint32_t *next,
                            struct csd_position_stream *streams);

/** Reads on from the streams; returns how many positions there are now, or a negated status. */
int csd_place_reader_fill(struct csd_place_reader *reader);

/** Reads the next position. Returns 1, 0 if there is none, or a negated status. */
static inline int csd_place_reader_next(struct csd_place_reader *reader, int32_t *position) {
  if (reader->at == reader->count) {
    const int n = reader->streams == NULL ? 0 : csd_place_reader_fill(reader);
    if (n <= 0) {
      return n;
    }
  }
  *position = (int32_t)reader->positions[reader->at++];
  return 1;
}

#endif
