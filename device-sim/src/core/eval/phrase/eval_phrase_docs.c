/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/phrase/test_eval_phrase.c. */
#include "core/eval/phrase/eval_phrase_docs.h"

#include <string.h>

#include "core/eval/eval_term.h"

#define CANDIDATES CSD_PHRASE_CANDIDATES

/* A term's docs are looked for among the candidates, and not the other way, if these are so many
   times as many. */
#define FEW_PAY_TO 2u

/* Of scratch->now: a candidate that is not kept. */
#define DROPPED 0xFFFFu

/* Notes what a list's current block says of the `n` postings at `places` as entries from `at` on.
 */
static int take_postings(struct csd_list_cursor *list, const uint8_t *places, uint32_t n,
                         uint32_t at, const struct csd_phrase_row *row) {
  int status = csd_list_cursor_ranks(list, places, n, row->freqs + at, row->ranks + at);
  if (status == 0 && row->norms != NULL) {
    status = csd_list_cursor_load_norms(list);
    for (uint32_t i = 0; i < n && status == 0; i++) {
      row->norms[at + i] = list->norms[places[i]];
    }
  }
  return status;
}

/* The row of term `t`; `norms` may be NULL. */
static struct csd_phrase_row row_of(const struct csd_phrase_scratch *scratch, uint32_t t,
                                    uint8_t *norms) {
  return (struct csd_phrase_row){.freqs = scratch->candidates.freqs + t * CANDIDATES,
                                 .ranks = scratch->candidates.ranks + t * CANDIDATES,
                                 .norms = norms};
}

int csd_phrase_take_postings(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                             uint32_t t, const uint8_t *places, uint32_t n, uint8_t *norms) {
  const struct csd_phrase_row row = row_of(scratch, t, norms);
  return take_postings(phrase->terms[t].list, places, n, 0, &row);
}

int csd_phrase_find(struct csd_eval *eval, struct csd_list_cursor *list, const uint32_t *docs,
                    uint32_t n, uint16_t *index, const struct csd_phrase_row *row) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < n;) {
    int status = csd_list_cursor_seek(list, docs[i]);
    if (status < 0) {
      return status;
    }
    if (list->block_end == CSD_CURSOR_END) {
      break;
    }
    uint32_t part;
    const int hits = csd_term_intersect(eval, list, docs + i, n - i, true, index + found, &part);
    if (hits < 0) {
      return hits;
    }
    csd_add_to_index(index + found, (uint32_t)hits, i);
    if (hits > 0) {
      status = take_postings(list, eval->term_positions, (uint32_t)hits, found, row);
      if (status < 0) {
        return status;
      }
    }
    found += (uint32_t)hits;
    i += part;
  }
  return (int)found;
}

/* Finds which of the `n` candidates term `t` has: scratch->index names them. Returns how many, or a
   negated status. */
static int find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t t, uint32_t n,
                uint8_t *norms) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct csd_phrase_row row = row_of(scratch, t, norms);
  return csd_phrase_find(eval, phrase->terms[t].list, scratch->candidates.docs, n, scratch->index,
                         &row);
}

/* The docs of a list's current block that may be candidates. */
struct reach {
  uint32_t first; /* the first one's place */
  uint32_t count; /* 0: the list has no doc from the first to the last candidate */
  bool all;       /* no other block of the list has any */
};

/* Finds what the list of term `t` has from the first to the last of `n` candidates. Most of many
   terms are rare, and have nothing. */
static int look_ahead(const struct csd_phrase *phrase, uint32_t t, const uint32_t *docs, uint32_t n,
                      struct reach *reach) {
  struct csd_list_cursor *list = phrase->terms[t].list;
  const uint32_t last = docs[n - 1u];
  *reach = (struct reach){.count = 0};
  int status = csd_list_cursor_seek(list, docs[0]);
  if (status == 0 && csd_list_cursor_block_start(list) <= last) {
    status = csd_list_cursor_load_docs(list);
    reach->first = csd_term_position(list, docs[0]);
    reach->count = csd_term_position(list, last + 1u) - reach->first;
    reach->all = list->block_end > last;
  }
  return status;
}

/* As `find`, of a term that has few docs there: they are looked for among the candidates. */
static int find_few(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t t,
                    const struct reach *reach, uint32_t n, uint8_t *norms) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct csd_list_cursor *list = phrase->terms[t].list;
  const unsigned hits =
      eval->kernels->intersect(list->docs + reach->first, reach->count, scratch->candidates.docs, n,
                               eval->intersect_map, scratch->index, scratch->places);
  for (unsigned j = 0; j < hits; j++) {
    eval->term_positions[j] = (uint8_t)(reach->first + scratch->index[j]);
    scratch->index[j] = scratch->places[j];
  }
  const int status =
      csd_phrase_take_postings(scratch, phrase, t, eval->term_positions, hits, norms);
  return status < 0 ? status : (int)hits;
}

/* As `find`, of a place with several terms; fills their rows. */
static int find_any(struct csd_eval *eval, const struct csd_phrase *phrase,
                    const struct csd_phrase_place *place, uint32_t n, bool norms) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  struct csd_phrase_candidates *c = &scratch->candidates;
  uint8_t *own_norms = norms ? scratch->norms : NULL;
  memset(scratch->found, 0, n * sizeof scratch->found[0]);
  memset(c->docs + n, 0xFF, (CANDIDATES - n) * sizeof c->docs[0]); /* as a posting block ends */
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    struct reach reach;
    int hits = look_ahead(phrase, t, c->docs, n, &reach);
    if (hits == 0 && reach.count > 0) {
      hits = reach.all && reach.count < n / FEW_PAY_TO
                 ? find_few(eval, phrase, t, &reach, n, own_norms)
                 : find(eval, phrase, t, n, own_norms);
    }
    if (hits < 0) {
      return hits;
    }
    c->counts[t] = (uint16_t)hits;
    memcpy(c->index + t * CANDIDATES, scratch->index, (uint32_t)hits * sizeof c->index[0]);
    for (uint32_t k = 0; k < (uint32_t)hits; k++) {
      const uint32_t i = scratch->index[k];
      scratch->found[i] = true;
      if (norms) {
        c->norms[i] = scratch->norms[k];
      }
    }
    eval->work.units += 1u + (uint32_t)hits;
  }
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    scratch->index[found] = (uint16_t)i;
    found += scratch->found[i];
  }
  return (int)found;
}

/* Keeps what a place says of `n` candidates that scratch->index names, scratch->now being where
   they are now. */
static void keep_entries(struct csd_phrase_scratch *scratch, const struct csd_phrase_place *place,
                         uint32_t n) {
  struct csd_phrase_candidates *c = &scratch->candidates;
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    uint32_t *freqs = c->freqs + t * CANDIDATES;
    uint32_t *ranks = c->ranks + t * CANDIDATES;
    uint16_t *index = c->index + t * CANDIDATES;
    if (!csd_phrase_has_alternatives(place)) {
      for (uint32_t j = 0; j < n; j++) {
        freqs[j] = freqs[scratch->index[j]];
        ranks[j] = ranks[scratch->index[j]];
      }
      continue;
    }
    uint32_t kept = 0;
    for (uint32_t j = 0; j < c->counts[t]; j++) {
      freqs[kept] = freqs[j];
      ranks[kept] = ranks[j];
      index[kept] = scratch->now[index[j]];
      kept += index[kept] != DROPPED;
    }
    c->counts[t] = (uint16_t)kept;
  }
}

void csd_phrase_keep(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                     uint32_t from_place, uint32_t to_place, uint32_t n) {
  struct csd_phrase_candidates *c = &scratch->candidates;
  const uint16_t *index = scratch->index;
  memset(scratch->now, 0xFF, sizeof scratch->now);
  for (uint32_t j = 0; j < n; j++) {
    scratch->now[index[j]] = (uint16_t)j;
    c->docs[j] = c->docs[index[j]];
    c->origin[j] = c->origin[index[j]];
  }
  for (uint32_t j = 0; from_place == 0 && to_place > 0 && j < n; j++) {
    c->norms[j] = c->norms[index[j]]; /* the first place has told them */
  }
  for (uint32_t p = from_place; p < to_place; p++) {
    keep_entries(scratch, &phrase->places[p], n);
  }
}

int csd_phrase_conjoin(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t told,
                       uint32_t from_place, uint32_t n, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  int left = (int)n;
  for (uint32_t p = from_place; p < phrase->place_count && left > 0; p++) {
    const struct csd_phrase_place *place = &phrase->places[p];
    const uint32_t before = (uint32_t)left;
    const bool norms = scored && p == 0;
    uint32_t known = p; /* a place before it, or with alternatives, tells of all candidates */
    if (csd_phrase_has_alternatives(place)) {
      left = find_any(eval, phrase, place, before, norms);
      known++;
    } else {
      left = find(eval, phrase, place->from, before, norms ? scratch->candidates.norms : NULL);
    }
    if (left > 0 && (uint32_t)left < before) {
      csd_phrase_keep(scratch, phrase, told, known, (uint32_t)left);
    }
    eval->work.units += before;
  }
  return left;
}
