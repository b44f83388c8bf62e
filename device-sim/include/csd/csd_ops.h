/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a plan node of each operator has to be like, from the wire's table of operators. */
#ifndef CSD_OPS_H
#define CSD_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csd/csd_wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest float that is a number. */
#define CSD_MAX_WEIGHT 3.402823466e+38f

/** What a field of a node refers to. */
enum csd_refers {
  CSD_REFERS_NOTHING, /* the field is 0 */
  CSD_REFERS_LISTS,
  CSD_REFERS_TABLES,
  CSD_REFERS_COLUMNS,
  CSD_REFERS_RANGES,
  CSD_REFERS_AREAS,    /* entries of the value ranges, too */
  CSD_REFERS_RESOURCE, /* of the device, not of the plan */
  CSD_REFERS_END
};

/** A field of a node that refers to entries of the plan, from the one that it names on. */
struct csd_op_reference {
  uint8_t to;   /* see csd_refers */
  uint8_t each; /* entries for each of range_count; 0: one entry, whatever range_count is */
  bool scored;  /* it refers to them only if a score is asked for; else it may hold anything */
  bool ascends; /* value ranges ascend and do not overlap */
};

/** The rules of an operator; what they leave out is zero. */
struct csd_op_rule {
  const char *name;      /* NULL: no operator has this number */
  uint64_t child_ops;    /* bit o set: a child may be of operator o */
  uint32_t child_occurs; /* likewise, bit o: part o */
  uint16_t min_children;
  uint16_t max_children;
  float min_factor; /* least weight of a child, if the weights of children are factors */
  float max_factor; /* greatest one; 0: they are not */
  bool scores_children;
  bool places; /* the terms of pairs of lists have places */
  uint8_t position_uses;
  struct csd_op_reference list;
  struct csd_op_reference table;
  uint16_t max_min_should;
  uint32_t min_count; /* of range_count */
  uint32_t max_count;
  uint32_t max_end; /* of min_should + range_count */
  float max_weight;
};

/** By number. */
extern const struct csd_op_rule csd_op_rules[CSD_OP_END];

/** Returns the rules of an operator, or NULL if no operator has the number. */
static inline const struct csd_op_rule *csd_op_rule(unsigned op) {
  return op < CSD_OP_END && csd_op_rules[op].name != NULL ? &csd_op_rules[op] : NULL;
}

/** Returns whether a node looks at the positions of its terms. */
static inline bool csd_is_phrase(unsigned op) { return csd_op_rules[op].position_uses != 0; }

#ifdef __cplusplus
}
#endif

#endif
