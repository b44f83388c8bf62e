/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Ways to produce a scored root, a BOOL or one of its kind, that no other node has: each is a row
   in a file of its own. */
#ifndef CSD_ROOT_WAY_H
#define CSD_ROOT_WAY_H

#include <stddef.h>

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "csd/csd_wire.h"

/** What a way has to find. */
struct csd_wanted {
  uint32_t k;    /* best hits; 0: every match */
  bool complete; /* every doc must come with its whole score, not with a part of it */
  bool filtered; /* filters may drop docs that are found: k of these need not be k hits */
};

/** A way to produce the root. */
struct csd_root_way {
  enum csd_way number; /* what result pages call it */
  bool needs_skip;  /* is for when non-competitive matches need not be counted; else for before */
  bool ranks_alone; /* finds the best hits without a look at most other matches, or what counting
                       them takes */
  /** Docs come in any order. It takes several calls, all with the same `from`: the last one sets
      batch->upto to `limit`, the others to `from`. */
  bool any_order;
  bool repeats; /* a doc may come several times */
  /** Whether it can produce the root, a BOOL or one of its kind, and suits what is wanted. */
  bool (*applies)(const struct csd_node *root, const struct csd_wanted *wanted);
  /** Makes what it keeps from call to call; NULL if the grant is used up. */
  void *(*make)(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted);
  /**
   * Produces the competitive matches in [from, batch->upto), and perhaps others, as
   * csd_eval_produce; but `batch` comes without docs, up to `limit`, and may be left so. Sets
   * eval->ranking.has_skipped when it leaves matches out. Limits may differ from call to call
   * unless docs come in any order, and cursors may have been put back.
   */
  int (*produce)(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch);
};

/** A node that can be the root, with its way. */
struct csd_root_part {
  struct csd_node *node;
  const struct csd_root_way *way; /* NULL: csd_eval_produce */
  void *state;
};

/**
 * Chooses the first of `count` ways that applies to part->node, and makes its state.
 *
 * @return 0 or -INSUFFICIENT_GRANT
 */
static inline int csd_root_part_make(struct csd_root_part *part,
                                     const struct csd_root_way *const *ways, size_t count,
                                     struct csd_arena *arena, const struct csd_wanted *wanted) {
  part->way = NULL;
  part->state = NULL;
  for (size_t i = 0; part->node->op->is_bool && i < count && part->way == NULL; i++) {
    if (ways[i]->applies(part->node, wanted)) {
      part->way = ways[i];
      part->state = ways[i]->make(arena, part->node, wanted);
    }
  }
  return part->way == NULL || part->state != NULL ? 0 : -CSD_STATUS_INSUFFICIENT_GRANT;
}

/** Whether the root's way is at work: it has one, and this is the time for it. */
static inline bool csd_root_uses_way(const struct csd_eval *eval, bool scored) {
  return scored && eval->way != NULL && eval->way->needs_skip == eval->ranking.may_skip;
}

#endif
