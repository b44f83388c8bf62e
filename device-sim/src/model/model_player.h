/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Inside the player. A discrete-event simulation: steps of requests, fetches and flash commands
 * wait in one heap by time, then by the order in which they were put there, and are taken one
 * after the other. A resource serves in the order in which it is asked, and as the asking goes on
 * in the order of time, that is the order of arrival. model_request.c runs requests,
 * model_fetch.c brings pages to them, model_flash.c does the flash commands, model_units.c keeps
 * the resources, model_account.c the reports and the trace.
 */
#ifndef CSD_MODEL_PLAYER_H
#define CSD_MODEL_PLAYER_H

#include "csd/csd_model.h"
#include "model/model_time.h"

#define MODEL_NONE UINT32_MAX
#define MODEL_RESOURCES (CSD_MODEL_RESOURCE_REQUEST + 1)

/** What the heap's entries are about. */
enum model_subject { MODEL_REQUEST_STEP, MODEL_FETCH_STEP, MODEL_FLASH_STEP };

struct model_entry {
  uint64_t time;
  uint64_t order; /* of being put in */
  uint32_t subject;
  uint32_t index;
};

/** A unit that serves one user after the other. */
struct model_unit {
  uint64_t free; /* from when on */
  uint64_t busy; /* use so far, of all requests */
};

/** Cores: held for as long as their user likes; others wait in line. */
struct model_cores {
  uint32_t resource; /* CORE or HOST_CORE */
  uint32_t count;
  uint32_t *user; /* of each core: request, or MODEL_NONE */
  uint32_t *last; /* of each core: request that ran on it last, or MODEL_NONE */
  uint32_t first_waiting, last_waiting; /* requests, linked by next_waiting */
};

/** A die, or a plane, or a chip, as the profile says: one flash command at a time. */
struct model_die {
  bool busy;
  uint32_t first_waiting, last_waiting; /* flash commands, linked by next */
};

/** A channel: two lines, each in the order of arrival; the first goes before the second. */
struct model_channel {
  bool busy;
  struct {
    uint32_t first, last; /* flash commands, linked by next */
  } waiting[2];
};

/** A flash command. */
struct model_flash {
  uint8_t kind;  /* CSD_MODEL_FLASH_... */
  uint8_t stage; /* see model_flash.c */
  uint32_t request;
  uint32_t fetch;   /* which waits for it, or MODEL_NONE */
  uint32_t address; /* physical number of the flash page, or of a block */
  uint32_t plane;
  uint32_t lba;        /* first, for the trace */
  uint32_t bytes;      /* to or from the plane's register */
  uint32_t unit;       /* of FIRMWARE, while it is used */
  uint32_t next;       /* in line, or in the free list */
  uint64_t from;       /* when the use of the stage's resource began */
  uint64_t channel_ps; /* for how long the channel is wanted */
};

/** Pages on their way to a request. */
struct model_fetch {
  uint8_t stage; /* see model_fetch.c */
  bool ahead;    /* nobody waits for it yet */
  bool arrived;
  uint32_t request;
  uint32_t lba;
  uint32_t bytes;
  uint32_t flash_left;  /* flash commands under way */
  uint32_t next;        /* of the same request, or in the free list */
  uint32_t next_queued; /* in line for the host's command queue */
  uint64_t from;
};

struct model_request {
  const struct csd_model_log *log;
  struct csd_model_report report;
  uint64_t bytes_moved[MODEL_RESOURCES];
  uint64_t controller_ps; /* during which the device worked for it */
  uint64_t host_ps;       /* during which the host worked for it */
  uint64_t mark;          /* its time is accounted for until then */
  uint64_t from;          /* when what it waits for began */
  uint8_t stage;          /* see model_request.c */
  bool finished;
  bool answered; /* the host knows all that the program did so far */
  size_t at;     /* next event in the log */
  struct csd_model_event event;
  /* Of the work before the event, what is left. */
  uint64_t compute_ps, memory_ps, bus_ps, bus_bytes, pieces;
  uint64_t segment_from, slice_from;           /* when the work began; when the core was taken */
  uint64_t piece_compute, bus_from, bus_until; /* of the piece of work under way */
  uint64_t bytes_left;                         /* of a send */
  uint64_t poll_base;                          /* when the host looked last */
  uint32_t core;                               /* that it holds, or MODEL_NONE */
  uint32_t next_waiting;
  uint32_t waits_for; /* fetch, or MODEL_NONE */
  /* Fetches ahead: those under way or arrived, and those that wait for their turn. */
  uint32_t first_ahead, last_ahead, first_pending, last_pending;
  uint32_t ahead_count; /* under way */
  uint32_t flash_count; /* own flash commands under way */
};

struct model_player {
  const struct csd_model_profile *profile;
  const struct csd_model_run *run;
  bool on_host;
  uint32_t flash_pages; /* of the device */
  int failure;
  uint64_t now;
  uint64_t order;
  struct model_entry *heap;
  uint32_t heap_count, heap_room;
  struct model_request *requests;
  uint32_t unfinished;
  struct model_unit *units[MODEL_RESOURCES];
  uint32_t unit_count[MODEL_RESOURCES];
  struct model_cores cores;   /* of the side that the programs run on */
  struct model_cores ranking; /* cores of the host, if the programs run on the device */
  struct model_die *dies;
  struct model_channel *channels;
  uint32_t *registers; /* flash page in each plane's register, or MODEL_NONE */
  struct model_flash *flash;
  uint32_t flash_used, flash_room, flash_free;
  struct model_fetch *fetches;
  uint32_t fetch_used, fetch_room, fetch_free;
  /* The host's command queue. */
  uint32_t commands;
  uint32_t first_queued, last_queued;      /* fetches, or requests that open a session */
  uint32_t active_controller, active_host; /* requests that keep them at work */
  uint64_t controller_ps, host_ps, controller_from, host_from;
};

/** What is added to the LBAs of a request's log. */
static inline uint32_t model_first_lba(const struct csd_model_run *run, uint32_t request) {
  return run->first_lbas != NULL ? run->first_lbas[request] : 0;
}

/* ---- model_units.c ---- */

/** Sets up heap, units, cores and dies; NO_MEMORY. */
int csd_model_units_open(struct model_player *player);
void csd_model_units_close(struct model_player *player);

/** Puts a step into the heap. A time beyond CSD_MODEL_MAX_PS, or no memory, ends the play. */
void csd_model_schedule(struct model_player *player, uint64_t time, enum model_subject subject,
                        uint32_t index);

/** Takes the next step; false if there is none. */
bool csd_model_take(struct model_player *player, struct model_entry *entry);

/** Reserves a unit for `duration` as soon as it is free; *from is when. Returns the end. */
uint64_t csd_model_reserve(struct model_player *player, enum csd_model_resource resource,
                           uint32_t unit, uint64_t duration, uint64_t *from);

/** The unit of a resource that is free first. */
uint32_t csd_model_first_free(const struct model_player *player, enum csd_model_resource resource);

/** Puts a request at the end of a line, which is linked by next_waiting. */
void csd_model_request_wait(struct model_player *player, uint32_t *first, uint32_t *last,
                            uint32_t request);

/** Gives the request a core now, if one is free; else puts it in line. */
bool csd_model_core_take(struct model_player *player, struct model_cores *cores, uint32_t request);

/** Frees the request's core, if it has one, and wakes who is first in line. */
void csd_model_core_free(struct model_player *player, struct model_cores *cores, uint32_t request);

/* ---- model_account.c ---- */

/**
 * A use of a unit for a request, when it has ended: busy time, bytes, trace. What lies behind the
 * end of its request is left out.
 */
struct model_use {
  enum csd_model_resource resource;
  enum csd_model_activity what;
  uint32_t unit;
  uint32_t lba;    /* for the trace */
  uint64_t amount; /* bytes moved, or results ranked */
  uint64_t from, until;
};

void csd_model_charge(struct model_player *player, uint32_t request, const struct model_use *use);

/** The request spent the time until `until` on a part. */
void csd_model_spend(struct model_player *player, uint32_t request, enum csd_model_part part,
                     uint64_t until);

/** A trace record. */
void csd_model_add_trace(struct model_player *player, uint32_t request,
                         const struct model_use *use);

/** The device, or the host, works for one request more or less. */
void csd_model_controller_works(struct model_player *player, int more);
void csd_model_host_works(struct model_player *player, int more);

/** Completes the reports when all requests have finished. */
void csd_model_account_end(struct model_player *player);

/* ---- model_flash.c ---- */

/**
 * Begins a flash command; the fetch, if any, learns its end, else the request does. Returns when
 * the controller is done with it.
 */
uint64_t csd_model_flash_begin(struct model_player *player, enum csd_model_event_kind kind,
                               uint32_t request, uint32_t fetch, uint32_t address, uint32_t lba,
                               uint32_t bytes);

/** Does what is due of a flash command. */
void csd_model_flash_step(struct model_player *player, uint32_t index);

/* ---- model_fetch.c ---- */

/** Whether what the request's event loads is being fetched already, or waits for that. */
bool csd_model_fetch_is_known(const struct model_player *player, uint32_t request);

/** Fetches pages for a load. True if they are there; else the request is woken when they are. */
bool csd_model_fetch_load(struct model_player *player, uint32_t request);

/** Begins to fetch pages ahead, or puts that in line. */
void csd_model_fetch_ahead(struct model_player *player, uint32_t request);

/** Gives up what waits to be fetched ahead: the request is at its end. */
void csd_model_fetch_forget(struct model_player *player, uint32_t request);

/** A flash command of the fetch has ended. */
void csd_model_fetch_flash_done(struct model_player *player, uint32_t index);

void csd_model_fetch_step(struct model_player *player, uint32_t index);

/* ---- model_request.c ---- */

/** A flash command of the request itself has ended. */
void csd_model_request_flash_done(struct model_player *player, uint32_t index);

/** Does what is due of a request. */
void csd_model_request_step(struct model_player *player, uint32_t index);

#endif
