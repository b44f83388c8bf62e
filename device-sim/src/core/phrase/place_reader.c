/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_multi_phrase.c. */
#include "core/phrase/place_reader.h"

/* Moves a stream on; one at its end has no positions. Returns 0, or a negated status. */
static int move_on(struct csd_position_stream *stream, const struct csd_phrase_term *term) {
  const int status = csd_position_stream_advance(stream, term);
  if (status == 0) {
    stream->count = 0;
  }
  return status < 0 ? status : 0;
}

/* The posting of doc `i` in the list of term `t`; of frequency 0 if it has not got the term. */
static struct csd_position_posting posting_of(const struct csd_phrase_place *place,
                                              const struct csd_phrase_docs *docs, uint32_t t,
                                              uint32_t i, const uint32_t *next) {
  if (!csd_phrase_has_alternatives(place)) {
    return csd_phrase_posting(docs, t, i);
  }
  return csd_phrase_has_entry(docs, t, next[t], i)
             ? csd_phrase_entry(docs, t, next[t])
             : (struct csd_position_posting){.doc = docs->docs[i]};
}

int csd_place_reader_stream(struct csd_place_reader *reader, const struct csd_phrase *phrase,
                            const struct csd_phrase_place *place,
                            const struct csd_phrase_docs *docs, uint32_t i, const uint32_t *next,
                            struct csd_position_stream *streams) {
  csd_place_reader_open(reader, reader->merged, 0);
  reader->streams = streams;
  reader->terms = phrase->terms + place->from;
  reader->stream_count = place->count;
  int status = 0;
  for (uint32_t t = 0; t < place->count && status == 0; t++) {
    const struct csd_position_posting posting = posting_of(place, docs, place->from + t, i, next);
    csd_position_stream_open(&streams[t], &posting);
    status = move_on(&streams[t], &reader->terms[t]);
  }
  return status;
}

int csd_place_reader_fill(struct csd_place_reader *reader) {
  const uint32_t room = sizeof reader->merged / sizeof reader->merged[0];
  uint32_t n = 0;
  while (n < room) {
    uint32_t least = reader->stream_count;
    for (uint32_t t = 0; t < reader->stream_count; t++) {
      const struct csd_position_stream *stream = &reader->streams[t];
      if (stream->count > 0 && (least == reader->stream_count ||
                                csd_position_stream_current(stream) <
                                    csd_position_stream_current(&reader->streams[least]))) {
        least = t;
      }
    }
    if (least == reader->stream_count) {
      break;
    }
    struct csd_position_stream *stream = &reader->streams[least];
    reader->merged[n++] = (uint32_t)csd_position_stream_current(stream);
    const int status = move_on(stream, &reader->terms[least]);
    if (status < 0) {
      return status;
    }
  }
  reader->at = 0;
  reader->count = n;
  return (int)n;
}
