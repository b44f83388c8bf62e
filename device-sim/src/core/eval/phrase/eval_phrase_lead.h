/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs that a first place with several terms has, and what their lists say of them. */
#ifndef CSD_EVAL_PHRASE_LEAD_H
#define CSD_EVAL_PHRASE_LEAD_H

#include "core/eval/phrase/eval_phrase_docs.h"

struct csd_arena;

/** Takes the memory for a place of so many terms; NULL if the grant is used up. */
struct csd_phrase_lead *csd_phrase_lead_make(struct csd_arena *arena, uint32_t terms);

/**
 * Finds docs that the first place has, from `from` on: they become the lead's. Those that were
 * found before, and not taken, are not looked for again.
 *
 * @param limit   docs are below it
 * @param scored  whether norms are wanted
 * @return 0, or a negated status
 */
int csd_phrase_lead_find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from,
                         uint32_t limit, bool scored);

/**
 * Makes the next docs of the lead candidates, those that the second place has, too, if that is of
 * one term.
 *
 * @param places  set to how many places the candidates have, of which all is noted: 1 or 2
 * @return how many, or a negated status
 */
int csd_phrase_lead_take(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t *places);

/** Whether all docs of the lead have been taken. */
bool csd_phrase_lead_is_done(const struct csd_phrase_lead *lead);

/** The next doc of the lead; where it was looked for docs up to, if there is none. */
uint32_t csd_phrase_lead_upto(const struct csd_phrase_lead *lead);

#endif
