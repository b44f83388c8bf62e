/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* TERM nodes: a cursor's blocks as batches, and bounds from impacts. */
#include "core/eval/eval_term.h"

#include "core/eval/eval.h"
#include "core/kernels/bits.h"

uint32_t csd_term_position(const struct csd_list_cursor *cursor, uint32_t target) {
  if (target <= cursor->docs[0]) {
    return 0;
  }
  if (target >= cursor->block_end) {
    return cursor->count;
  }
  uint32_t at = 0;
  for (uint32_t half = CSD_BLOCK_POSTINGS / 2; half != 0; half /= 2) {
    at += cursor->docs[at + half - 1] < target ? half : 0;
  }
  return at;
}

int csd_term_next(const struct csd_node *node, uint32_t from, uint32_t *next) {
  struct csd_list_cursor *cursor = node->cursor;
  int status = csd_list_cursor_seek(cursor, from);
  *next = csd_list_cursor_block_start(cursor);
  if (status < 0 || *next >= from + CSD_WINDOW_DOCS) {
    return status;
  }
  if (cursor->block_end - from > CSD_WINDOW_DOCS) {
    status = csd_list_cursor_load_docs(cursor);
  }
  if (status == 0 && cursor->docs_ready) {
    *next = cursor->docs[csd_term_position(cursor, from)];
  }
  *next = *next > from ? *next : from;
  return status;
}

int csd_term_load(struct csd_node *node) {
  const int status = csd_list_cursor_load_freqs(node->cursor);
  return status < 0 ? status : csd_list_cursor_load_norms(node->cursor);
}

/* Scores `n` postings of a term that scores all the same. */
static int score_flat(struct csd_eval *eval, const struct csd_node *node, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    eval->term_scores[i] = node->weight;
  }
  eval->work.docs_scored += n;
  return 0;
}

/* Scores `n` postings of the current block from `at` on. */
static int score_column(struct csd_eval *eval, struct csd_node *node, uint32_t at, uint32_t n) {
  struct csd_list_cursor *cursor = node->cursor;
  if (node->is_flat) {
    return score_flat(eval, node, n);
  }
  const int status = node->is_linear ? csd_list_cursor_load_freqs(cursor) : csd_term_load(node);
  if (status < 0) {
    return status;
  }
  csd_term_scores(eval, node, cursor->freqs + at, cursor->norms + at, n, eval->term_scores);
  eval->work.docs_scored += n;
  return 0;
}

int csd_term_score_block(struct csd_eval *eval, struct csd_node *node) {
  return score_column(eval, node, 0, node->cursor->count);
}

int csd_term_score(struct csd_eval *eval, struct csd_node *node, const uint8_t *position,
                   unsigned n) {
  if (node->is_flat) {
    return score_flat(eval, node, n);
  }
  const int status =
      csd_list_cursor_gather(node->cursor, position, n, eval->term_freqs, eval->term_norms);
  if (status < 0) {
    return status;
  }
  csd_term_scores(eval, node, eval->term_freqs, eval->term_norms, n, eval->term_scores);
  eval->work.docs_scored += n;
  return 0;
}

int csd_term_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch) {
  struct csd_list_cursor *cursor = node->cursor;
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  int status = csd_list_cursor_seek(cursor, from);
  if (status < 0) {
    return status;
  }
  if (csd_list_cursor_block_start(cursor) >= limit) {
    return 0; /* also at the end of the list */
  }
  status = csd_list_cursor_load_docs(cursor);
  if (status < 0) {
    return status;
  }
  const uint32_t at = csd_term_position(cursor, from);
  const uint32_t end = csd_term_position(cursor, limit);
  batch->docs = cursor->docs + at;
  batch->n = end - at;
  batch->upto = cursor->block_end < limit ? cursor->block_end : limit;
  if (scored && batch->n > 0) {
    batch->scoring = CSD_SCORING_ARRAY;
    batch->scores = eval->term_scores;
    return score_column(eval, node, at, batch->n);
  }
  return 0;
}

void csd_term_keep_above(struct csd_eval *eval, struct csd_batch *batch, float above) {
  if (batch->n > 0) {
    batch->n = eval->kernels->copy_above(batch->docs, batch->scores, batch->n, above,
                                         eval->kept_docs, eval->kept_scores);
    batch->docs = eval->kept_docs;
    batch->scores = eval->kept_scores;
  }
}

/* ORs the current block's bitmap into the words of docs base to end. */
static void or_block(const struct csd_eval *eval, const struct csd_list_cursor *cursor,
                     uint32_t base, uint32_t end, uint64_t *bits) {
  const uint8_t *bitmap = cursor->bitmap;
  uint32_t words = csd_list_cursor_bitmap_words(cursor);
  uint32_t first = cursor->block_base + 1u;
  if (first < base) {
    /* The words before the window, and the first one that reaches into it. */
    const uint32_t before = (base - first) / 64u;
    bits[0] |= csd_load_u64(bitmap + 8u * before) >> ((base - first) & 63u);
    bitmap += 8u * (before + 1u);
    words -= before + 1u;
    first += 64u * (before + 1u);
  }
  if (first < end) {
    const uint32_t room = (end - base + 63u) / 64u - (first - base) / 64u;
    eval->kernels->or_bitmap(bits, first - base, bitmap, words < room ? words : room);
  }
}

int csd_term_set_bits(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                      uint32_t base, uint64_t *bits) {
  struct csd_list_cursor *cursor = node->cursor;
  for (uint32_t at = from; at < end; at = cursor->block_end) {
    int status = csd_list_cursor_seek(cursor, at);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(cursor) >= end) {
      break; /* at the list's end, too */
    }
    if (cursor->bitmap != NULL) {
      or_block(eval, cursor, base, end, bits);
      csd_list_cursor_count_block(cursor);
    } else {
      status = csd_list_cursor_load_docs(cursor);
      if (status < 0) {
        return status;
      }
      const uint32_t first = csd_term_position(cursor, at);
      const uint32_t behind = csd_term_position(cursor, end);
      if (first < behind) {
        eval->kernels->set_bits(bits, base, cursor->docs + first, behind - first);
      }
    }
    if (cursor->block_end < end) {
      csd_list_cursor_add_bits(cursor, end, base, bits);
    }
  }
  return 0;
}

int csd_term_intersect(struct csd_eval *eval, struct csd_list_cursor *cursor, const uint32_t *docs,
                       uint32_t n, bool positions, uint16_t *index, uint32_t *part) {
  *part = csd_list_docs_below(docs, n, cursor->block_end);
  if (cursor->bitmap != NULL && !cursor->docs_ready) {
    csd_list_cursor_count_block(cursor);
    return (int)eval->kernels->intersect_bitmap(
        docs, *part, cursor->bitmap, csd_list_cursor_bitmap_words(cursor), cursor->block_base + 1u,
        index, positions ? eval->term_positions : NULL);
  }
  const int status = csd_list_cursor_load_docs(cursor);
  return status < 0
             ? status
             : (int)eval->kernels->intersect(docs, *part, cursor->docs, cursor->count,
                                             eval->intersect_map, index, eval->term_positions);
}

int csd_term_find(struct csd_eval *eval, struct csd_node *term, const uint32_t *docs, uint32_t n,
                  uint16_t *index, uint32_t *freqs, uint8_t *norms) {
  struct csd_list_cursor *cursor = term->cursor;
  uint32_t found = 0;
  for (uint32_t i = 0; i < n;) {
    int status = csd_list_cursor_seek(cursor, docs[i]);
    if (status < 0) {
      return status;
    }
    if (cursor->block_end == CSD_CURSOR_END) {
      break;
    }
    uint32_t part;
    const int hits = csd_term_intersect(eval, cursor, docs + i, n - i, true, index + found, &part);
    if (hits < 0) {
      return hits;
    }
    csd_add_to_index(index + found, (uint32_t)hits, i);
    if (hits > 0 && freqs != NULL) {
      status = csd_list_cursor_gather(cursor, eval->term_positions, (unsigned)hits, freqs + found,
                                      norms + found);
      if (status < 0) {
        return status;
      }
    }
    found += (uint32_t)hits;
    i += part;
  }
  return (int)found;
}

int csd_term_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits) {
  struct csd_list_cursor *cursor = node->cursor;
  uint32_t found = 0;
  for (uint32_t i = 0; i < n;) {
    int status = csd_list_cursor_seek(cursor, docs[i]);
    if (status < 0) {
      return status;
    }
    if (cursor->block_end == CSD_CURSOR_END) {
      break;
    }
    uint32_t part;
    const int m =
        csd_term_intersect(eval, cursor, docs + i, n - i, scored, hits->index + found, &part);
    if (m < 0) {
      return m;
    }
    csd_add_to_index(hits->index + found, (uint32_t)m, i);
    if (scored && m > 0) {
      status = csd_term_score(eval, node, eval->term_positions, (unsigned)m);
      if (status < 0) {
        return status;
      }
      __builtin_memcpy(hits->scores + found, eval->term_scores, (unsigned)m * sizeof(float));
    }
    found += (uint32_t)m;
    i += part;
    eval->work.units += part;
    if (!scored && i < n) {
      uint32_t more;
      const uint32_t looked = csd_list_cursor_match(cursor, docs + i, n - i, eval->intersect_map,
                                                    hits->index + found, &more);
      csd_add_to_index(hits->index + found, more, i);
      found += more;
      i += looked;
    }
  }
  hits->n = found;
  return 0;
}

static int next(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *first) {
  (void)limit;
  return csd_term_next(node, from, first);
}

static uint64_t count(const struct csd_node *node, bool *exact) {
  *exact = true;
  return node->cost;
}

static void rewind_list(struct csd_node *node) { csd_list_cursor_rewind(node->cursor); }

static void close_list(struct csd_node *node) { csd_list_cursor_close(node->cursor); }

static void add_reads(const struct csd_node *node, struct csd_reads *reads) {
  csd_list_add_reads(node->cursor, reads);
}

const struct csd_operator csd_op_term = {.name = "TERM",
                                         .is_term = true,
                                         .is_leaf = true,
                                         .produce = csd_term_produce,
                                         .probe = csd_term_probe,
                                         .next = next,
                                         .add_bits = csd_term_set_bits,
                                         .min_count = count,
                                         .rewind = rewind_list,
                                         .close = close_list,
                                         .add_reads = add_reads};

/* ---- bounds ---- */

/* The impact of a TABLE_TERM is a score. */
static float table_impact(const struct csd_node *node, uint64_t impacts) {
  float most = 0.0f;
  for (; impacts != 0; impacts >>= 16) {
    const unsigned freq = impacts & 0xFFu;
    const uint8_t norm = (impacts >> 8) & 0xFFu;
    if (freq > 0) {
      const uint32_t up_to = freq == CSD_IMPACT_FREQ_UNBOUNDED ? UINT32_MAX : freq;
      const float score = csd_term_own_score(node, up_to, norm);
      most = score > most ? score : most;
    }
  }
  return most;
}

/* A score is weight - weight / (1 + x), which rises with x = freq * table[norm]. */
float csd_term_impact(const struct csd_node *node, uint64_t impacts) {
  if (impacts == 0) {
    return __builtin_inff();
  }
  if (node->tables > 0) {
    return table_impact(node, impacts);
  }
  float most = 0.0f;
  for (; impacts != 0; impacts >>= 16) {
    const unsigned freq = impacts & 0xFFu;
    const unsigned norm = (impacts >> 8) & 0xFFu;
    if (freq == CSD_IMPACT_FREQ_UNBOUNDED) {
      return __builtin_inff();
    }
    const float x = (float)freq * node->table[norm];
    most = x > most ? x : most; /* false for NaN: an unused pair with an infinite table entry */
  }
  return most;
}

float csd_term_min_impact(const struct csd_node *node, float score) {
  if (node->tables > 0) {
    return score > 0.0f ? score : 0.0f;
  }
  /* Exceeds all rounding: of a score, and of the steps below. */
  const double slack = 1e-6;
  const double weight = (double)node->weight;
  const double least = (double)score - weight * slack;
  return least > 0.0 && least < weight ? (float)(least / (weight - least) * (1.0 - slack)) : 0.0f;
}

float csd_term_bound(const struct csd_node *node, uint64_t impacts) {
  if (!node->scored) {
    return 0.0f;
  }
  if (!node->has_impacts) {
    return node->weight;
  }
  return csd_term_impact_score(node, csd_term_impact(node, impacts));
}

float csd_term_block_bound(struct csd_node *node) {
  if (node->cursor->unread) {
    return csd_term_bound(node, node->cursor->block_impacts); /* its last block ends there, too */
  }
  if (node->block_bound_end != node->cursor->block_end) {
    node->block_bound = csd_term_bound(node, node->cursor->block_impacts);
    node->block_bound_end = node->cursor->block_end;
  }
  return node->block_bound;
}

float csd_term_range_bound(struct csd_node *node, uint32_t to) {
  if (!node->scored) {
    return 0.0f;
  }
  if (!node->has_impacts) {
    return csd_list_cursor_block_start(node->cursor) < to ? node->weight : 0.0f;
  }
  if (to <= node->cursor->block_end && csd_list_cursor_block_start(node->cursor) < to) {
    return csd_term_block_bound(node);
  }
  uint64_t words[CSD_RANGE_IMPACTS];
  const unsigned n = csd_list_cursor_range_impacts(node->cursor, to, words);
  float bound = 0.0f;
  for (unsigned i = 0; i < n; i++) {
    const float one = csd_term_bound(node, words[i]);
    bound = one > bound ? one : bound;
  }
  return bound;
}
