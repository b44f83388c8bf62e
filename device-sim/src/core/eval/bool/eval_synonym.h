/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * SYNONYM, and COMBINED, whose docs have norms of their own: terms whose frequencies count as one.
 */
#ifndef CSD_EVAL_SYNONYM_H
#define CSD_EVAL_SYNONYM_H

#include "core/eval/eval.h"

/** A BOOL of optional terms; the weights of these are factors of their frequencies. */
extern const struct csd_operator csd_op_synonym;

/** The norm that a SYNONYM scores a doc with, `own` being that of its postings. */
static inline uint8_t csd_synonym_norm(const struct csd_node *node, uint32_t doc, uint8_t own) {
  return node->doc_norms != NULL ? node->doc_norms[doc] : own;
}

#endif
