/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Dispatch by operator. */
#include "core/eval/eval.h"

/* A shell sort: plans may have a thousand children, and it needs neither memory nor recursion. Of a
   few nodes those that are equal stay in their order. */
void csd_sort_nodes(struct csd_node **nodes, uint32_t count, csd_node_order is_before) {
  uint32_t gap = 1;
  while (gap < count / 3) {
    gap = 3 * gap + 1;
  }
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      struct csd_node *node = nodes[i];
      uint32_t at = i;
      for (; at >= gap && is_before(node, nodes[at - gap]); at -= gap) {
        nodes[at] = nodes[at - gap];
      }
      nodes[at] = node;
    }
  }
}

void csd_eval_rewind(struct csd_eval *eval) {
  for (uint32_t i = 0; i < eval->node_count; i++) {
    struct csd_node *node = &eval->nodes[i];
    if (node->op->rewind != NULL) {
      node->op->rewind(node);
    }
  }
}

void csd_eval_close(struct csd_eval *eval) {
  for (uint32_t i = 0; i < eval->node_count; i++) {
    struct csd_node *node = &eval->nodes[i];
    if (node->op->close != NULL) {
      node->op->close(node);
    }
  }
}

struct csd_reads csd_eval_reads(const struct csd_eval *eval) {
  struct csd_reads reads = {0};
  for (uint32_t i = 0; i < eval->node_count; i++) {
    const struct csd_node *node = &eval->nodes[i];
    if (node->op->add_reads != NULL) {
      node->op->add_reads(node, &reads);
    }
  }
  return reads;
}

int csd_eval_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch) {
  batch->bits = NULL;
  const int status = node->op->produce(eval, node, from, limit, scored, batch);
  if (node->op->one_score) {
    batch->scoring = scored ? CSD_SCORING_CONSTANT : CSD_SCORING_NONE;
    batch->constant = node->weight;
  }
  return status;
}

int csd_eval_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits) {
  eval->work.units++;
  const int status = node->op->probe(eval, node, docs, n, scored, hits);
  if (scored && status == 0 && node->op->one_score) {
    for (uint32_t i = 0; i < hits->n; i++) {
      hits->scores[i] = node->weight;
    }
  }
  return status;
}
