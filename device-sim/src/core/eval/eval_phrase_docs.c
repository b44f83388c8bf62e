/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval_phrase.c. */
#include "core/eval/eval_phrase_docs.h"

#include <string.h>

#include "core/eval/eval_term.h"

#define CANDIDATES CSD_PHRASE_CANDIDATES

/* A term's docs are looked for among the candidates, and not the other way, if these are so many
   times as many. */
#define FEW_PAY_TO 2u

/* Docs of a lead with several terms, about; each of them gives at least one. */
#define LEAD_DOCS 4096u

int csd_phrase_take_postings(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                             uint32_t t, const uint8_t *places, uint32_t n, uint32_t at,
                             uint8_t *norms) {
  struct csd_phrase_candidates *c = &scratch->candidates;
  struct csd_list_cursor *list = phrase->terms[t].list;
  c->has[t] = true;
  int status = csd_list_cursor_ranks(list, places, n, c->freqs + t * CANDIDATES + at,
                                     c->ranks + t * CANDIDATES + at);
  if (status == 0 && norms != NULL) {
    status = csd_list_cursor_load_norms(list);
    for (uint32_t i = 0; i < n && status == 0; i++) {
      norms[i] = list->norms[places[i]];
    }
  }
  return status;
}

/*
 * Finds which of the `n` candidates term `t` has. Writes their indices to scratch->index, and their
 * norms to `norms`, unless that is NULL. Returns how many, or a negated status.
 */
static int find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t t, uint32_t n,
                uint8_t *norms) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const uint32_t *docs = scratch->candidates.docs;
  struct csd_list_cursor *list = phrase->terms[t].list;
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
    const int hits =
        csd_term_intersect(eval, list, docs + i, n - i, true, scratch->index + found, &part);
    if (hits < 0) {
      return hits;
    }
    csd_add_to_index(scratch->index + found, (uint32_t)hits, i);
    if (hits > 0) {
      status = csd_phrase_take_postings(scratch, phrase, t, eval->term_positions, (uint32_t)hits,
                                        found, norms == NULL ? NULL : norms + found);
      if (status < 0) {
        return status;
      }
    }
    found += (uint32_t)hits;
    i += part;
  }
  return (int)found;
}

/* Moves what a list says of `found` candidates, which scratch->index names, to their places among
   all `n`. */
static void spread(const struct csd_phrase_scratch *scratch, uint32_t found, uint32_t n,
                   uint32_t *freqs, uint32_t *ranks) {
  for (uint32_t i = n; i-- > 0;) {
    if (found > 0 && scratch->index[found - 1u] == i) {
      found--;
      freqs[i] = freqs[found];
      ranks[i] = ranks[found];
    } else {
      freqs[i] = 0;
    }
  }
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
      csd_phrase_take_postings(scratch, phrase, t, eval->term_positions, hits, 0, norms);
  return status < 0 ? status : (int)hits;
}

/* As `find`, of a place with several terms. What they say stands where the candidates do. */
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
    c->has[t] = hits > 0;
    eval->work.units++;
    if (hits == 0) {
      memset(c->freqs + t * CANDIDATES, 0, n * sizeof c->freqs[0]);
      continue;
    }
    for (uint32_t k = 0; k < (uint32_t)hits; k++) {
      const uint32_t i = scratch->index[k];
      scratch->found[i] = true;
      if (norms) {
        c->norms[i] = scratch->norms[k];
      }
    }
    spread(scratch, (uint32_t)hits, n, c->freqs + t * CANDIDATES, c->ranks + t * CANDIDATES);
    eval->work.units += n;
  }
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    scratch->index[found] = (uint16_t)i;
    found += scratch->found[i];
  }
  return (int)found;
}

/* Keeps what terms [from, to) say of candidates that scratch->index names. */
static void keep_postings(struct csd_phrase_scratch *scratch, uint32_t from, uint32_t to,
                          uint32_t n) {
  struct csd_phrase_candidates *c = &scratch->candidates;
  const uint16_t *index = scratch->index;
  for (uint32_t t = from; t < to; t++) {
    if (!c->has[t]) {
      continue;
    }
    uint32_t *freqs = c->freqs + t * CANDIDATES;
    uint32_t *ranks = c->ranks + t * CANDIDATES;
    for (uint32_t j = 0; j < n; j++) {
      freqs[j] = freqs[index[j]];
      ranks[j] = ranks[index[j]];
    }
  }
}

void csd_phrase_keep(struct csd_phrase_scratch *scratch, uint32_t from_term, uint32_t terms,
                     uint32_t n) {
  struct csd_phrase_candidates *c = &scratch->candidates;
  const uint16_t *index = scratch->index;
  for (uint32_t j = 0; j < n; j++) {
    c->docs[j] = c->docs[index[j]];
    c->origin[j] = c->origin[index[j]];
  }
  for (uint32_t j = 0; from_term == 0 && terms > 0 && j < n; j++) {
    c->norms[j] = c->norms[index[j]]; /* the first place has told them */
  }
  keep_postings(scratch, from_term, terms, n);
}

int csd_phrase_conjoin(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from_place,
                       uint32_t n, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const uint32_t from_term = from_place < phrase->place_count ? phrase->places[from_place].from : 0;
  int left = (int)n;
  for (uint32_t p = from_place; p < phrase->place_count && left > 0; p++) {
    const struct csd_phrase_place *place = &phrase->places[p];
    const uint32_t before = (uint32_t)left;
    const bool norms = scored && p == 0;
    uint32_t told = place->from; /* what terms below say stands where the candidates do */
    if (place->count == 1) {
      left = find(eval, phrase, place->from, before, norms ? scratch->candidates.norms : NULL);
    } else {
      left = find_any(eval, phrase, place, before, norms);
      told += place->count;
    }
    if (left > 0 && (uint32_t)left < before) {
      csd_phrase_keep(scratch, from_term, told, (uint32_t)left);
    }
    eval->work.units += before;
  }
  return left;
}

uint32_t csd_phrase_lead_room(uint32_t terms) {
  return (terms < LEAD_DOCS ? LEAD_DOCS : terms) + CSD_MERGE_DOCS_SLACK;
}

/* Moves the cursors of a place on to `from`; returns where the docs of all their blocks are known
   up to, or a negated status. */
static int64_t seek_all(const struct csd_phrase *phrase, const struct csd_phrase_place *place,
                        uint32_t from, uint32_t limit) {
  const uint32_t most = LEAD_DOCS / place->count > 0 ? LEAD_DOCS / place->count : 1u;
  uint32_t end = limit;
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    struct csd_list_cursor *list = phrase->terms[t].list;
    int status = csd_list_cursor_seek(list, from);
    if (status == 0 && csd_list_cursor_block_start(list) < end) {
      status = csd_list_cursor_load_docs(list);
    }
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(list) >= end) {
      continue; /* at the end, too */
    }
    const uint32_t last = csd_term_position(list, from) + most;
    const uint32_t known = last < list->count ? list->docs[last] : list->block_end;
    end = known < end ? known : end;
  }
  return (int64_t)end;
}

int csd_phrase_lead_docs(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from,
                         uint32_t limit, uint32_t *upto) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct csd_phrase_place *place = &phrase->places[0];
  const int64_t end = seek_all(phrase, place, from, limit);
  if (end < 0) {
    return (int)end;
  }
  uint32_t n = 0;
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    const struct csd_list_cursor *list = phrase->terms[t].list;
    if (csd_list_cursor_block_start(list) >= (uint32_t)end) {
      continue;
    }
    const uint32_t first = csd_term_position(list, from);
    const uint32_t count = csd_term_position(list, (uint32_t)end) - first;
    if (count == 0) {
      continue;
    }
    uint32_t *both = scratch->more_docs;
    n = eval->kernels->merge_docs(scratch->lead_docs, n, list->docs + first, count, both);
    scratch->more_docs = scratch->lead_docs;
    scratch->lead_docs = both;
  }
  eval->work.units += place->count + n;
  *upto = (uint32_t)end;
  return (int)n;
}
