/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/phrase/test_eval_phrase.c. */
#include "core/eval/phrase/eval_phrase_lead.h"

#include <string.h>

#include "core/eval/eval_term.h"
#include "core/plan/arena.h"

#define CANDIDATES CSD_PHRASE_CANDIDATES

/* Postings that are looked at together, about; each term gives at least one. */
#define LEAD_POSTINGS 8192u

/* In place of the number of a candidate: the doc is none. */
#define DROPPED 0xFFFFu

/* Doc IDs that are looked at together, at most. */
#define LEAD_RANGE 32768u
#define LEAD_WORDS (LEAD_RANGE / 64u + 2u) /* `from` may be any bit of the first word */

/* The docs of a posting block that are looked at. */
struct csd_phrase_lead_part {
  uint8_t first;
  uint8_t count;
};

struct csd_phrase_lead {
  uint64_t bits[LEAD_WORDS + 2u];     /* of the docs, from a multiple of 64 on */
  uint16_t number[LEAD_WORDS * 64u];  /* of each doc that has its bit set, in `docs` */
  uint8_t places[CSD_BLOCK_POSTINGS]; /* in a posting block: all of them */
  struct csd_phrase_lead_part *parts; /* [term], of their current blocks */
  /* [term]: it has no doc in [soonest_from, soonest[t]). */
  uint32_t *soonest;
  uint32_t soonest_from;
  const struct csd_phrase *soonest_of;
  /* What was asked for. */
  const struct csd_phrase *phrase; /* NULL: nothing */
  bool scored;
  uint32_t upto; /* docs are below it */
  /* The docs. */
  uint32_t at; /* the first one that was not taken */
  uint32_t n;
  uint32_t *docs;
  uint8_t *norms;
  uint16_t *candidate; /* which one it is; of those that were taken last */
  /* What the lists say: of term t entries [next[t], end[t]), less those that were taken. */
  uint32_t *next;
  uint32_t *end;
  uint16_t *index; /* of the doc */
  uint32_t *freqs;
  uint32_t *ranks;
};

struct csd_phrase_lead *csd_phrase_lead_make(struct csd_arena *arena, uint32_t terms) {
  const size_t room = terms < LEAD_POSTINGS ? LEAD_POSTINGS : terms;
  struct csd_phrase_lead *lead = csd_arena_take(arena, sizeof *lead);
  if (lead == NULL) {
    return NULL;
  }
  lead->docs = csd_arena_take(arena, (room + CSD_LIST_BITS_SLACK) * sizeof *lead->docs);
  lead->norms = csd_arena_take(arena, room);
  lead->soonest = csd_arena_take(arena, terms * sizeof *lead->soonest);
  lead->candidate = csd_arena_take(arena, room * sizeof *lead->candidate);
  lead->parts = csd_arena_take(arena, terms * sizeof *lead->parts);
  lead->next = csd_arena_take(arena, terms * sizeof *lead->next);
  lead->end = csd_arena_take(arena, terms * sizeof *lead->end);
  lead->index = csd_arena_take(arena, room * sizeof *lead->index);
  lead->freqs = csd_arena_take(arena, room * sizeof *lead->freqs);
  lead->ranks = csd_arena_take(arena, room * sizeof *lead->ranks);
  lead->phrase = NULL;
  lead->soonest_of = NULL;
  for (uint32_t i = 0; i < CSD_BLOCK_POSTINGS; i++) {
    lead->places[i] = (uint8_t)i;
  }
  return lead->docs != NULL && lead->norms != NULL && lead->soonest != NULL &&
                 lead->candidate != NULL && lead->parts != NULL && lead->next != NULL &&
                 lead->end != NULL && lead->index != NULL && lead->freqs != NULL &&
                 lead->ranks != NULL
             ? lead
             : NULL;
}

bool csd_phrase_lead_is_done(const struct csd_phrase_lead *lead) { return lead->at == lead->n; }

uint32_t csd_phrase_lead_upto(const struct csd_phrase_lead *lead) {
  return lead->at < lead->n ? lead->docs[lead->at] : lead->upto;
}

/* Moves the cursors of a place on to `from`; returns where the docs of all their blocks are known
   up to, and are few enough, or a negated status. Most of many terms are rare, and have no doc
   soon: these are not looked at. */
static int64_t seek_all(const struct csd_phrase *phrase, const struct csd_phrase_place *place,
                        uint32_t from, uint32_t limit, struct csd_phrase_lead *lead) {
  const uint32_t most = LEAD_POSTINGS / place->count > 0 ? LEAD_POSTINGS / place->count : 1u;
  uint32_t end = limit - from > LEAD_RANGE ? from + LEAD_RANGE : limit;
  if (lead->soonest_of != phrase || from < lead->soonest_from) {
    memset(lead->soonest, 0, place->count * sizeof lead->soonest[0]);
    lead->soonest_of = phrase;
  }
  lead->soonest_from = from;
  for (uint32_t t = 0; t < place->count; t++) {
    if (lead->soonest[t] >= end) {
      continue;
    }
    struct csd_list_cursor *list = phrase->terms[place->from + t].list;
    int status = csd_list_cursor_seek(list, from);
    if (status == 0 && csd_list_cursor_block_start(list) < end) {
      status = csd_list_cursor_load_docs(list);
    }
    if (status < 0) {
      return status;
    }
    lead->soonest[t] = csd_list_cursor_block_start(list);
    if (lead->soonest[t] >= end) {
      continue; /* at the end, too */
    }
    const uint32_t first = csd_term_position(list, from);
    const uint32_t last = first + most;
    const uint32_t known = last < list->count ? list->docs[last] : list->block_end;
    end = known < end ? known : end;
    lead->soonest[t] = list->docs[first];
  }
  return (int64_t)end;
}

/* The part of a list's current block that is in [from, end); raises *soonest to its first doc from
   `end` on. */
static struct csd_phrase_lead_part part_of(const struct csd_list_cursor *list, uint32_t from,
                                           uint32_t end, uint32_t *soonest) {
  if (*soonest >= end) {
    return (struct csd_phrase_lead_part){0, 0};
  }
  const uint32_t first = csd_term_position(list, from);
  const uint32_t last = csd_term_position(list, end);
  *soonest = last < list->count ? list->docs[last] : list->block_end;
  return (struct csd_phrase_lead_part){.first = (uint8_t)first, .count = (uint8_t)(last - first)};
}

/* Lists and numbers the docs whose bits are set, of which bit 0 is `base`. */
static void list_docs(const struct csd_kernels *kernels, struct csd_phrase_lead *lead,
                      uint32_t base) {
  const uint32_t words = (lead->upto - base + 63u) / 64u;
  lead->n = kernels->list_bits(lead->bits, words, base, lead->docs);
  for (uint32_t i = 0; i < lead->n; i++) {
    lead->number[lead->docs[i] - base] = (uint16_t)i;
  }
}

/* Notes what a list says of the docs in a part of its current block, as entries from `at` on. */
static int note_part(struct csd_phrase_lead *lead, struct csd_list_cursor *list,
                     const struct csd_phrase_lead_part *part, uint32_t base, bool scored,
                     uint32_t at) {
  int status = csd_list_cursor_ranks(list, lead->places + part->first, part->count,
                                     lead->freqs + at, lead->ranks + at);
  if (status == 0 && scored) {
    status = csd_list_cursor_load_norms(list);
  }
  for (uint32_t i = 0; i < part->count && status == 0; i++) {
    lead->index[at + i] = lead->number[list->docs[part->first + i] - base];
  }
  for (uint32_t i = 0; i < part->count && status == 0 && scored; i++) {
    lead->norms[lead->index[at + i]] = list->norms[part->first + i];
  }
  return status;
}

/* Finds docs from `from` on. */
static int find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from,
                uint32_t limit, bool scored) {
  struct csd_phrase_lead *lead = eval->phrases->lead;
  const struct csd_phrase_place *place = &phrase->places[0];
  lead->phrase = NULL;
  const int64_t end = seek_all(phrase, place, from, limit, lead);
  if (end < 0) {
    return (int)end;
  }
  lead->upto = (uint32_t)end;
  const uint32_t base = from & ~63u;
  memset(lead->bits, 0, ((lead->upto - base + 63u) / 64u + 1u) * sizeof lead->bits[0]);
  uint32_t postings = 0;
  for (uint32_t t = 0; t < place->count; t++) {
    const struct csd_list_cursor *list = phrase->terms[place->from + t].list;
    lead->parts[t] = part_of(list, from, lead->upto, &lead->soonest[t]);
    if (lead->parts[t].count > 0) {
      eval->kernels->set_bits(lead->bits, base, list->docs + lead->parts[t].first,
                              lead->parts[t].count);
    }
    postings += lead->parts[t].count;
  }
  lead->soonest_from = lead->upto; /* docs before may be asked for again, with a lower limit */
  eval->work.units += place->count + 2u * postings;
  lead->at = 0;
  lead->n = 0;
  if (postings > 0) {
    list_docs(eval->kernels, lead, base);
  }
  uint32_t at = 0;
  for (uint32_t t = 0; t < place->count; t++) {
    struct csd_list_cursor *list = phrase->terms[place->from + t].list;
    const struct csd_phrase_lead_part *part = &lead->parts[t];
    const int status = part->count == 0 ? 0 : note_part(lead, list, part, base, scored, at);
    if (status < 0) {
      return status;
    }
    lead->next[t] = at;
    at += part->count;
    lead->end[t] = at;
  }
  lead->phrase = phrase;
  lead->scored = scored;
  return 0;
}

int csd_phrase_lead_find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from,
                         uint32_t limit, bool scored) {
  struct csd_phrase_lead *lead = eval->phrases->lead;
  if (lead->phrase != phrase || lead->scored != scored || lead->at == lead->n ||
      from < lead->docs[lead->at] || from >= lead->upto || lead->upto > limit) {
    return find(eval, phrase, from, limit, scored);
  }
  while (lead->at < lead->n && lead->docs[lead->at] < from) {
    lead->at++;
  }
  return 0;
}

/* Makes docs [at, end) of the lead the candidates. */
static void take_docs(struct csd_phrase_lead *lead, uint32_t at, uint32_t end,
                      struct csd_phrase_candidates *c) {
  memcpy(c->docs, lead->docs + at, (end - at) * sizeof c->docs[0]);
  memcpy(c->norms, lead->norms + at, end - at);
  for (uint32_t i = at; i < end; i++) {
    lead->candidate[i] = (uint16_t)(i - at);
  }
}

/*
 * Makes docs of the lead from `at` on candidates if term `t` has them, too, until there are enough;
 * sets *end to where they end. Returns how many, or a negated status.
 */
static int take_common(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t t,
                       uint32_t at, uint32_t *end) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  struct csd_phrase_lead *lead = scratch->lead;
  struct csd_phrase_candidates *c = &scratch->candidates;
  uint32_t n = 0;
  while (at < lead->n && n <= CANDIDATES / 2u) {
    const uint32_t room = CANDIDATES - n;
    const uint32_t part = lead->n - at < room ? lead->n - at : room;
    const struct csd_phrase_row row = {.freqs = c->freqs + t * CANDIDATES + n,
                                       .ranks = c->ranks + t * CANDIDATES + n};
    const int found =
        csd_phrase_find(eval, phrase->terms[t].list, lead->docs + at, part, scratch->index, &row);
    if (found < 0) {
      return found;
    }
    memset(lead->candidate + at, 0xFF, part * sizeof lead->candidate[0]);
    for (uint32_t j = 0; j < (uint32_t)found; j++) {
      const uint32_t i = at + scratch->index[j];
      lead->candidate[i] = (uint16_t)(n + j);
      c->docs[n + j] = lead->docs[i];
      c->norms[n + j] = lead->norms[i];
    }
    n += (uint32_t)found;
    at += part;
  }
  *end = at;
  return (int)n;
}

/* Fills the row of term `t` with what its list says of docs [at, end) of the lead that are
   candidates. */
static void take_entries(struct csd_phrase_lead *lead, uint32_t t, uint32_t at, uint32_t end,
                         struct csd_phrase_candidates *c, uint32_t row) {
  uint32_t from = lead->next[t];
  while (from < lead->end[t] && lead->index[from] < at) {
    from++;
  }
  uint32_t entries = 0;
  for (; from < lead->end[t] && lead->index[from] < end; from++) {
    const uint16_t candidate = lead->candidate[lead->index[from]];
    if (candidate != DROPPED) {
      c->index[row * CANDIDATES + entries] = candidate;
      c->freqs[row * CANDIDATES + entries] = lead->freqs[from];
      c->ranks[row * CANDIDATES + entries] = lead->ranks[from];
      entries++;
    }
  }
  lead->next[t] = from;
  c->counts[row] = (uint16_t)entries;
}

int csd_phrase_lead_take(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t *places) {
  struct csd_phrase_lead *lead = eval->phrases->lead;
  struct csd_phrase_candidates *c = &eval->phrases->candidates;
  const struct csd_phrase_place *place = &phrase->places[0];
  const uint32_t at = lead->at;
  uint32_t end = lead->n - at < CANDIDATES ? lead->n : at + CANDIDATES;
  int n = (int)(end - at);
  *places = 1;
  if (phrase->place_count > 1 && !csd_phrase_has_alternatives(&phrase->places[1])) {
    *places = 2;
    n = take_common(eval, phrase, phrase->places[1].from, at, &end);
  } else {
    take_docs(lead, at, end, c);
  }
  lead->at = end;
  if (n <= 0) {
    return n; /* the entries will be passed when others are taken */
  }
  memset(c->origin, 0, (uint32_t)n * sizeof c->origin[0]);
  for (uint32_t t = 0; t < place->count; t++) {
    take_entries(lead, t, at, end, c, place->from + t);
  }
  eval->work.units += place->count + (end - at);
  return n;
}
