/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Matches as bits, a window of docs at a time: bitmaps of posting blocks go straight in, and
 * windows of several lists are combined by words.
 */
#include <string.h>

#include "eval.h"

/* Docs of the segment per match of the cheapest child up to which its blocks are bitmaps mostly. */
#define BITS_PAY_TO_GAP 12u

int csd_bits_add(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                 uint32_t base, uint64_t *bits) {
  if (node->op == CSD_OP_TERM) {
    return csd_term_set_bits(eval, node, from, end, base, bits);
  }
  for (uint32_t at = from; at < end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(eval, node, at, end, false, &batch);
    if (status < 0) {
      return status;
    }
    eval->kernels->set_bits(bits, base, batch.docs, batch.n);
    at = batch.upto;
  }
  return 0;
}

void csd_bits_trim(uint64_t *bits, uint32_t base, uint32_t from, uint32_t end) {
  const uint32_t first = (from - base) / 64u;
  memset(bits, 0, first * sizeof bits[0]);
  bits[first] &= UINT64_MAX << (from & 63u);
  const uint32_t behind = (end - base) / 64u;
  bits[behind] &= (UINT64_C(1) << (end & 63u)) - 1u;
  memset(bits + behind + 1u, 0, (CSD_BITS_ROOM - behind - 1u) * sizeof bits[0]);
}

bool csd_bits_pay(const struct csd_node *node, uint32_t max_doc) {
  if (node->op != CSD_OP_BOOL || node->required_count == 0 || node->min_should > 0) {
    return false;
  }
  for (uint32_t i = 0; i < node->required_count; i++) {
    if (node->required[i]->op != CSD_OP_TERM) {
      return false;
    }
  }
  for (uint32_t i = 0; i < node->prohibited_count; i++) {
    if (node->prohibited[i]->op != CSD_OP_TERM) {
      return false;
    }
  }
  return node->required_count + node->prohibited_count > 1 &&
         node->cost >= max_doc / BITS_PAY_TO_GAP;
}

/* Adds a child's matches to the window by AND, or by AND NOT. */
static int combine(struct csd_eval *eval, struct csd_node *child, uint32_t from, uint32_t end,
                   uint32_t base, bool prohibited) {
  uint64_t *other = eval->other_bits;
  memset(other, 0, sizeof eval->other_bits);
  const int status = csd_bits_add(eval, child, from, end, base, other);
  const uint64_t flip = prohibited ? UINT64_MAX : 0;
  for (uint32_t w = 0; w < CSD_WINDOW_WORDS; w++) {
    eval->bits[w] &= other[w] ^ flip;
  }
  return status;
}

int csd_bits_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     struct csd_batch *batch) {
  struct csd_node *lead = node->required[0];
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  batch->bits = NULL;
  uint32_t start;
  int status = csd_term_next(lead, from, &start);
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t base = start & ~63u;
  const uint32_t end = limit - base < CSD_WINDOW_DOCS ? limit : base + CSD_WINDOW_DOCS;
  memset(eval->bits, 0, sizeof eval->bits);
  status = csd_bits_add(eval, lead, start, end, base, eval->bits);
  for (uint32_t i = 1; i < node->required_count && status == 0; i++) {
    status = combine(eval, node->required[i], start, end, base, false);
  }
  for (uint32_t i = 0; i < node->prohibited_count && status == 0; i++) {
    status = combine(eval, node->prohibited[i], start, end, base, true);
  }
  csd_bits_trim(eval->bits, base, start, end);
  eval->work.units += CSD_WINDOW_WORDS;
  batch->upto = end;
  batch->bits = eval->bits;
  batch->bits_base = base;
  return status;
}
