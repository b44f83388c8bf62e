/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: what it makes is the result page of a program. */
#include "core/program/collector.h"

#include <string.h>

#include "core/filters/live_docs.h"
#include "core/plan/arena.h"

static const uint32_t HEADER_BYTES = sizeof(struct csd_result_header);

enum {
  FEW = 8,            /* up to so many docs are offered one by one */
  RANK_AT_ONCE = 256, /* docs: the ranking rises from one lot to the next */
  SAMPLES = 16        /* see first_guess */
};

static uint32_t entry_bytes(uint8_t mode) { return mode == CSD_MODE_DOCS ? 4 : 8; }

static const float LOWEST = -__builtin_inff();

/* The minimum competitive score at the start. */
static float first_min_score(const struct csd_plan_header *header) {
  if ((header->flags & CSD_PLAN_FLAG_HAS_MIN_SCORE) == 0) {
    return LOWEST;
  }
  const bool ties = (header->flags & CSD_PLAN_FLAG_MIN_SCORE_TIES) != 0;
  return ties ? csd_just_below(header->min_score) : header->min_score;
}

void csd_collector_open(struct csd_collector *collector, const struct csd_plan *plan,
                        uint8_t *result, uint32_t capacity, const uint64_t *live_docs,
                        const struct csd_kernels *kernels, struct csd_ranking *ranking) {
  const struct csd_plan_header *header = &plan->header;
  collector->mode = header->mode;
  collector->has_after = (header->flags & CSD_PLAN_FLAG_HAS_AFTER) != 0;
  collector->after_score = header->after_score;
  collector->after_doc = header->after_doc;
  collector->counts = true;
  collector->live_docs = live_docs;
  collector->result = result;
  collector->capacity = capacity;
  collector->entry_limit = header->mode == CSD_MODE_TOP_K
                               ? header->k
                               : (capacity - HEADER_BYTES) / entry_bytes(header->mode);
  collector->entries = 0;
  collector->compared = 0;
  collector->offered = 0;
  collector->count = 0;
  collector->full = false;
  collector->kernels = kernels;
  collector->ranking = ranking;
  ranking->active = header->mode == CSD_MODE_TOP_K;
  ranking->may_skip = false;
  ranking->has_skipped = false;
  ranking->way = CSD_WAY_UNSAID;
  ranking->full = false;
  ranking->min_score = first_min_score(header);
  ranking->ties_below = 0;
}

bool csd_collector_take_memory(struct csd_collector *collector, struct csd_arena *arena,
                               uint32_t k) {
  uint64_t *keys = (uint64_t *)(void *)(collector->result + HEADER_BYTES);
  uint32_t room = csd_topk_room(k);
  if (room > k) {
    keys = csd_arena_take(arena, room * sizeof *keys);
  }
  csd_topk_open(&collector->topk, keys, room, k, collector->ranking->min_score);
  return keys != NULL;
}

/* ---- bits ---- */

/* Lists the docs of `n` words from doc `base` on; returns the doc up to which there was room. */
static uint32_t list_words(struct csd_collector *collector, const uint64_t *words, uint32_t n,
                           uint32_t base) {
  uint32_t *docs = (uint32_t *)(void *)(collector->result + HEADER_BYTES) + collector->entries;
  const uint32_t room = collector->entry_limit - collector->entries;
  const bool fits = room >= 64u * n + CSD_LIST_BITS_SLACK;
  uint32_t *list = fits ? docs : collector->live_list;
  uint32_t next = base + 64u * n;
  uint32_t taken = collector->kernels->list_bits(words, n, base, list);
  if (!fits) {
    next = taken > room ? list[room] : next;
    taken = taken > room ? room : taken;
    memcpy(docs, list, 4 * (size_t)taken);
  }
  collector->entries += taken;
  collector->count += taken;
  collector->full = collector->entries == collector->entry_limit;
  return next;
}

/* Takes a batch of bits: counts them, or lists them up to where the page is full. */
static uint32_t take_bits(struct csd_collector *collector, const struct csd_batch *batch) {
  uint64_t live[CSD_WINDOW_WORDS];
  /* Of words past these the live docs may have none. */
  const uint32_t words = (batch->upto - batch->bits_base + 63u) / 64u;
  for (uint32_t w = 0; w < words && !collector->full; w += CSD_WINDOW_WORDS) {
    const uint32_t n = words - w < CSD_WINDOW_WORDS ? words - w : CSD_WINDOW_WORDS;
    const uint64_t *part = csd_live_words(collector->live_docs, batch, w, n, live);
    if (collector->mode != CSD_MODE_DOCS) {
      collector->count += collector->kernels->count_bits(part, n);
      continue;
    }
    const uint32_t next = list_words(collector, part, n, batch->bits_base + 64u * w);
    if (collector->full) {
      return next < batch->upto ? next : batch->upto;
    }
  }
  return batch->upto;
}

/* ---- modes ---- */

static uint32_t take_docs(struct csd_collector *collector, const struct csd_batch *batch) {
  const uint32_t room = collector->entry_limit - collector->entries;
  const uint32_t n = batch->n < room ? batch->n : room;
  uint8_t *docs = collector->result + HEADER_BYTES;
  if (n == 0) {
    return batch->upto; /* there is room for at least one, so there was none */
  }
  memcpy(docs + 4 * (size_t)collector->entries, batch->docs, 4 * (size_t)n);
  if (collector->mode == CSD_MODE_SCORED_DOCS) {
    /* Where the scores belong is known when the number of entries is. */
    uint8_t *scores = docs + 4 * ((size_t)collector->entry_limit + collector->entries);
    if (batch->scoring == CSD_SCORING_ARRAY) {
      memcpy(scores, batch->scores, 4 * (size_t)n);
    } else {
      for (uint32_t i = 0; i < n; i++) {
        memcpy(scores + 4 * (size_t)i, &batch->constant, 4);
      }
    }
  }
  collector->entries += n;
  collector->count += n;
  collector->full = collector->entries == collector->entry_limit;
  return n < batch->n ? batch->docs[n] : batch->upto;
}

static bool is_after(const struct csd_collector *collector, uint32_t doc, float score) {
  return score < collector->after_score ||
         (score == collector->after_score && (int64_t)doc > (int64_t)collector->after_doc);
}

/* Lets the program know what further hits have to beat. */
static void raise_min_score(struct csd_collector *collector) {
  const struct csd_topk *topk = &collector->topk;
  if (csd_topk_is_full(topk)) {
    collector->ranking->full = true;
    collector->ranking->min_score = csd_key_score(topk->bound);
    collector->ranking->ties_below = csd_key_doc(topk->bound);
  }
}

/* Offers a hit unless the plan's own limits or the hits that are kept rule it out. */
static void offer(struct csd_collector *collector, uint32_t doc, float score, bool repeats) {
  struct csd_topk *topk = &collector->topk;
  const uint64_t key = csd_hit_key(doc, score);
  collector->compared++;
  if (key <= topk->bound || (collector->has_after && !is_after(collector, doc, score))) {
    return;
  }
  if (!repeats || !csd_topk_raise(topk, key)) {
    csd_topk_offer(topk, key);
  }
  collector->offered++;
  raise_min_score(collector);
}

/*
 * Returns a score that k of the first docs reach, so that most others need not be offered: it takes
 * the best of each of SAMPLES parts, and of these the k-th. -inf if it does not know one.
 */
static float first_guess(const struct csd_collector *collector, const float *scores, uint32_t n) {
  const uint32_t k = collector->topk.k;
  if (k > SAMPLES || n < 3 * SAMPLES || collector->has_after) {
    return LOWEST;
  }
  float best[SAMPLES];
  memcpy(best, scores, sizeof best);
  for (uint32_t i = SAMPLES; i + SAMPLES <= n; i += SAMPLES) {
    for (uint32_t j = 0; j < SAMPLES; j++) {
      best[j] = scores[i + j] > best[j] ? scores[i + j] : best[j];
    }
  }
  return csd_topk_of_few(best, SAMPLES, k);
}

/* Ranks up to RANK_AT_ONCE docs. First drops those whose scores are too low. */
static void rank_some(struct csd_collector *collector, const uint32_t *docs, const float *scores,
                      uint32_t n, bool repeats) {
  uint32_t kept_docs[RANK_AT_ONCE + CSD_ABOVE_SLACK];
  float kept_scores[RANK_AT_ONCE + CSD_ABOVE_SLACK];
  float above = collector->ranking->min_score;
  if (csd_topk_is_full(&collector->topk)) {
    above = csd_just_below(above); /* docs need not ascend: one of the same score may be better */
  } else if (collector->topk.count == 0) {
    const float guess = first_guess(collector, scores, n);
    above = guess > above ? csd_just_below(guess) : above;
  }
  const uint32_t kept =
      collector->kernels->copy_above(docs, scores, n, above, kept_docs, kept_scores);
  if (!repeats && !collector->has_after) {
    collector->compared += kept;
    collector->offered += csd_topk_offer_all(&collector->topk, kept_docs, kept_scores, kept);
    raise_min_score(collector);
    return;
  }
  for (uint32_t i = 0; i < kept; i++) {
    offer(collector, kept_docs[i], kept_scores[i], repeats);
  }
}

static void rank(struct csd_collector *collector, const struct csd_batch *batch) {
  const bool array = batch->scoring == CSD_SCORING_ARRAY;
  if (array && batch->n > FEW) {
    for (uint32_t i = 0; i < batch->n; i += RANK_AT_ONCE) {
      const uint32_t left = batch->n - i;
      rank_some(collector, batch->docs + i, batch->scores + i,
                left < RANK_AT_ONCE ? left : RANK_AT_ONCE, batch->repeats);
    }
    return;
  }
  for (uint32_t i = 0; i < batch->n; i++) {
    offer(collector, batch->docs[i], array ? batch->scores[i] : batch->constant, batch->repeats);
  }
}

uint32_t csd_collector_take(struct csd_collector *collector, const struct csd_batch *batch) {
  if (batch->bits != NULL) {
    return take_bits(collector, batch);
  }
  const struct csd_batch taken =
      csd_live_batch(collector->live_docs, batch, collector->live_list, collector->live_scores);
  if (collector->mode == CSD_MODE_DOCS || collector->mode == CSD_MODE_SCORED_DOCS) {
    return take_docs(collector, &taken);
  }
  if (collector->counts) {
    collector->count += taken.n;
  }
  if (taken.scoring != CSD_SCORING_NONE) {
    rank(collector, &taken);
  }
  return taken.upto;
}

void csd_collector_close(struct csd_collector *collector, uint64_t match_count, uint32_t next_doc,
                         unsigned flags, const struct csd_work *work) {
  const uint32_t entry = entry_bytes(collector->mode);
  uint32_t entries = collector->entries;
  if (collector->mode == CSD_MODE_TOP_K) {
    csd_topk_finish(&collector->topk, (uint64_t *)(void *)(collector->result + HEADER_BYTES));
    entries = csd_topk_hits(&collector->topk);
  } else if (collector->mode == CSD_MODE_SCORED_DOCS) {
    uint8_t *docs = collector->result + HEADER_BYTES;
    memmove(docs + 4 * (size_t)entries, docs + 4 * (size_t)collector->entry_limit,
            4 * (size_t)entries);
  }
  const struct csd_result_header header = {
      .magic = CSD_RESULT_MAGIC,
      .version = CSD_WIRE_VERSION,
      .mode = collector->mode,
      .flags = (uint8_t)flags,
      .total_bytes = HEADER_BYTES + entries * entry,
      .entry_count = entries,
      .match_count = match_count,
      .next_doc = next_doc,
      .pages_read = work->pages_read,
      .blocks_decoded = work->blocks_decoded,
      .blocks_skipped = work->blocks_skipped,
      .postings_decoded = work->postings_decoded,
      .docs_scored = work->docs_scored,
      .pages_skipped = work->pages_skipped,
  };
  memcpy(collector->result, &header, sizeof header);
}
