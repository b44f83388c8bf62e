/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Unscored disjunctions of terms whose posting blocks are seldom bitmaps. Merges the docs of the
 * terms' current blocks, each time up to the first block end. Without a window to clear and to
 * scan, docs far apart cost no more than others.
 */
#include "core/eval/bool/eval_union.h"

#include <string.h>

#include "core/eval/bool/eval_or.h"
#include "core/eval/eval.h"
#include "core/eval/eval_term.h"

bool csd_union_pays(const struct csd_eval *eval, const struct csd_node *node, uint32_t max_doc) {
  /* A doc is moved once for every term behind its own, on average half of them. */
  const uint32_t terms = node->optional_count > 2 ? node->optional_count : 2u;
  return csd_or_is_sparse(node, 2u * eval->kernels->merge_pays_to / terms, max_doc);
}

/* Appends the terms' docs in [from, end), a block of each at most, to the frame's `n` docs. */
static int append_docs(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                       uint32_t n) {
  struct csd_frame *frame = node->frame;
  struct csd_batch batches[CSD_MAX_MERGE_TERMS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    struct csd_batch *batch = &batches[count];
    const int status = csd_term_produce(eval, node->optional[i], from, end, false, batch);
    if (status < 0) {
      return status;
    }
    count += batch->n > 0;
  }
  if (count == 0) {
    return (int)n;
  }
  /* The outputs alternate, so that the last merge goes to the docs. */
  const uint32_t *merged = batches[0].docs;
  uint32_t merged_count = batches[0].n;
  for (uint32_t i = 1; i < count; i++) {
    uint32_t *to = (count - i) % 2 == 1 ? frame->docs + n : frame->other_docs;
    merged_count =
        eval->kernels->merge_docs(merged, merged_count, batches[i].docs, batches[i].n, to);
    merged = to;
  }
  if (count == 1) {
    memcpy(frame->docs + n, merged, merged_count * sizeof merged[0]);
  }
  return (int)(n + merged_count);
}

int csd_union_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch) {
  const uint32_t room = CSD_WINDOW_DOCS - node->optional_count * CSD_BLOCK_POSTINGS;
  uint32_t n = 0;
  uint32_t at = from;
  while (at < limit && n <= room) {
    uint32_t end = limit;
    int status = csd_or_block_end(node, at, &end);
    if (status == 0) {
      status = append_docs(eval, node, at, end, n);
    }
    if (status < 0) {
      return status;
    }
    n = (uint32_t)status;
    at = end;
  }
  batch->upto = at;
  eval->work.units += 8u;
  return csd_or_finish(eval, node, (int)n, false, batch);
}
