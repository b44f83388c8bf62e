/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Inside the player: a discrete-event simulation. One heap holds the steps of requests, fetches and
 * flash commands, ordered by time, then by insertion. The player takes them one after the other. A
 * resource serves its users in the order in which they ask; since steps are taken in the order of
 * time, that is the order of arrival. model_request.c runs requests, model_fetch.c brings pages to
 * them, model_flash.c runs the flash commands, model_task.c tasks, on both sides at once,
 * model_units.c keeps the resources, model_account.c the reports and the trace.
 */
#ifndef CSD_MODEL_PLAYER_H
#define CSD_MODEL_PLAYER_H

#include "csd/csd_model.h"
#include "model/model_time.h"
#include "task/task_line.h"

#define MODEL_NONE UINT32_MAX
#define MODEL_RESOURCES (CSD_MODEL_RESOURCE_REQUEST + 1)

/** Whose step an entry of the heap is. */
enum model_subject { MODEL_REQUEST_STEP, MODEL_FETCH_STEP, MODEL_FLASH_STEP };

struct model_entry {
  uint64_t time;
  uint64_t order; /* of insertion */
  uint32_t subject;
  uint32_t index;
};

/** A unit of a resource, which serves one user after the other. */
struct model_unit {
  uint64_t free; /* time from which it is free */
  uint64_t busy; /* time in use so far, by all requests */
};

/** Cores. A request holds one as long as it needs; others wait in line. */
struct model_cores {
  uint32_t resource; /* CORE or HOST_CORE */
  uint32_t count;
  uint32_t *user; /* of each core: request, or MODEL_NONE */
  uint32_t *last; /* of each core: request that ran on it last, or MODEL_NONE */
  uint32_t first_waiting, last_waiting; /* requests, linked by next_waiting */
};

/** What runs one flash command at a time: a die, a plane or a chip, as the profile says. */
struct model_die {
  bool busy;
  uint32_t first_waiting, last_waiting; /* flash commands, linked by next */
};

/** A channel with two waiting lines, each in the order of arrival. The first line has priority. */
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
  uint32_t fetch;   /* the fetch that waits for it, or MODEL_NONE */
  uint32_t address; /* physical number of a flash page; of an erase, that of a flash block */
  uint32_t plane;
  uint32_t lba;        /* its first, for the trace */
  uint32_t bytes;      /* to or from the plane's register */
  uint32_t unit;       /* of FIRMWARE, while it is used */
  uint32_t next;       /* in a waiting line, or in the free list */
  uint64_t from;       /* when the use of the stage's resource began */
  uint64_t channel_ps; /* how long it will use the channel */
};

/** A fetch of LBAs for a request. */
struct model_fetch {
  uint8_t stage; /* see model_fetch.c */
  bool ahead;    /* the request does not wait for it yet */
  bool arrived;
  bool asks; /* its bytes stay in the device */
  bool is_task;
  bool marked; /* a task for the device, if that has room */
  bool raw;    /* a task whose page goes to the host as it is */
  uint32_t request;
  uint32_t lba;
  uint32_t bytes;
  uint32_t flash_left;  /* flash commands that have not ended */
  uint32_t next;        /* of the same request, or in the free list */
  uint32_t next_queued; /* in the line for the host's command queue; of a task, in that of tasks */
  uint64_t from;
  /* Of a task: its work, and the bytes and the work that it leaves for the host. */
  const uint64_t *work, *rest_work;
  uint32_t work_count, rest_count;
  uint32_t rest_bytes;
};

/** Fetches that wait, linked by next_queued. */
struct model_line {
  uint32_t first, last;
};

struct model_request {
  const struct csd_model_log *log;
  struct csd_model_report report;
  uint64_t bytes_moved[MODEL_RESOURCES];
  uint64_t controller_ps; /* during which the device worked for it */
  uint64_t host_ps;       /* during which the host worked for it */
  uint64_t mark;          /* end of the time that is accounted for */
  uint64_t from;          /* when what it waits for began */
  uint8_t stage;          /* see model_request.c */
  bool works_on_host;     /* its work is done on a core of the host */
  uint32_t of;            /* a worker: the request that it works for; else itself */
  bool finished;
  bool answered; /* the host has all results so far */
  size_t at;     /* next event in the log */
  struct csd_model_event event;
  /* Left of the work before the event. */
  uint64_t compute_ps, memory_ps, bus_ps, bus_bytes, pieces;
  uint64_t segment_from, slice_from;           /* when the work began; when the core was taken */
  uint64_t piece_compute, bus_from, bus_until; /* of the piece of work under way */
  uint64_t bytes_left;                         /* of a send */
  uint64_t poll_base;                          /* time of the host's last poll */
  uint32_t core;                               /* which it holds, or MODEL_NONE */
  uint32_t next_waiting;
  uint32_t waits_for; /* fetch, or MODEL_NONE */
  /* Fetches ahead: lists of those that have begun or arrived, and of those that wait. */
  uint32_t first_ahead, last_ahead, first_pending, last_pending;
  uint32_t ahead_count; /* fetches ahead that have begun, not arrived */
  /* Under a runtime. */
  uint32_t held;        /* pages that it has asked for and is not done with */
  bool has_page;        /* one of them is the page that it works on */
  uint64_t poll_ps;     /* time between the host's last poll and the next */
  uint32_t slice_pages; /* loads since its master thread was scheduled */
  bool scheduled;       /* its master thread has the core */
  uint32_t callbacks;   /* of worker threads, whose time has not been counted */
  uint32_t flash_count; /* its own flash commands that have not ended */
  /* Of a request: tasks that were asked for and have not come back; what the host works on. */
  uint32_t tasks;
  uint32_t marks; /* carried over from task to task: marked_ppm */
  uint64_t tasks_ps;
  struct model_line at_host;
  /* Of a worker. */
  bool idle;
  bool on_rest;  /* works on the rest of its task */
  uint32_t task; /* fetch that it works on */
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
  struct model_request *requests; /* and, behind run->count, workers: see model_task.c */
  uint32_t unfinished;
  struct model_unit *units[MODEL_RESOURCES];
  uint32_t unit_count[MODEL_RESOURCES];
  struct model_cores cores;   /* of the side on which the programs run */
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
  uint32_t first_queued, last_queued; /* fetches, or requests that open a session */
  /* Under a runtime: pages that can still be granted, and requests that wait for them. */
  uint32_t free_pages, free_sram;
  uint32_t first_ungranted, last_ungranted;
  /* Tasks: the line of the device, in which each request has a ring, and fetches that wait for a
     place in it. */
  struct csd_task_line line;
  struct csd_task_ring *rings;
  struct csd_task_window *windows; /* of all rings */
  struct model_line stalled;
  struct csd_model_split_counts split_counts;
  uint32_t active_controller, active_host; /* requests that keep each of them at work */
  uint64_t controller_ps, host_ps, controller_from, host_from;
};

/** The LBA to which the LBAs of a request's log are relative. */
static inline uint32_t model_first_lba(const struct csd_model_run *run, uint32_t request) {
  return run->first_lbas != NULL ? run->first_lbas[request] : 0;
}

/* ---- model_units.c ---- */

/** Sets up heap, units, cores and dies. @return 0, or -NO_MEMORY */
int csd_model_units_open(struct model_player *player);
void csd_model_units_close(struct model_player *player);

/** Puts a step into the heap. Sets `failure` if the time exceeds CSD_MODEL_MAX_PS or memory is
 * short. */
void csd_model_schedule(struct model_player *player, uint64_t time, enum model_subject subject,
                        uint32_t index);

/** Takes the next step from the heap; false if there is none. */
bool csd_model_take(struct model_player *player, struct model_entry *entry);

/** Reserves a unit for `duration` from when it is free. Sets *from to the start, returns the end.
 */
uint64_t csd_model_reserve(struct model_player *player, enum csd_model_resource resource,
                           uint32_t unit, uint64_t duration, uint64_t *from);

/** Returns the unit of a resource that is free first. */
uint32_t csd_model_first_free(const struct model_player *player, enum csd_model_resource resource);

/** Puts a request at the end of a line, which is linked by next_waiting. */
void csd_model_request_wait(struct model_player *player, uint32_t *first, uint32_t *last,
                            uint32_t request);

/** Acquires a core for the request if one is free, and returns true; else puts it in line. */
bool csd_model_core_acquire(struct model_player *player, struct model_cores *cores,
                            uint32_t request);

/** Releases the request's core, if it holds one; the first request in line gets it. */
void csd_model_core_release(struct model_player *player, struct model_cores *cores,
                            uint32_t request);

/* ---- model_account.c ---- */

/** A use of a unit for a request that has ended. */
struct model_use {
  enum csd_model_resource resource;
  enum csd_model_activity what;
  uint32_t unit;
  uint32_t lba;    /* for the trace */
  uint64_t amount; /* bytes moved, or results ranked */
  uint64_t from, until;
};

/** Counts a use: busy time, bytes, trace. Leaves out the part after the end of its request. */
void csd_model_charge(struct model_player *player, uint32_t request, const struct model_use *use);

/** Counts the request's time from its mark to `until` for a part. */
void csd_model_spend(struct model_player *player, uint32_t request, enum csd_model_part part,
                     uint64_t until);

/** Adds a trace record, if a trace is wanted. */
void csd_model_add_trace(struct model_player *player, uint32_t request,
                         const struct model_use *use);

/** Notes that the device, or the host, works for one request more (1) or less (-1). */
void csd_model_controller_works(struct model_player *player, int more);
void csd_model_host_works(struct model_player *player, int more);

/** Completes the reports when all requests have finished. */
void csd_model_account_end(struct model_player *player);

/* ---- model_flash.c ---- */

/**
 * Begins a flash command. Its end goes to the fetch if there is one, else to the request. Returns
 * the time at which the controller is done with it.
 */
uint64_t csd_model_flash_begin(struct model_player *player, enum csd_model_event_kind kind,
                               uint32_t request, uint32_t fetch, uint32_t address, uint32_t lba,
                               uint32_t bytes);

/** Takes the next step of a flash command. */
void csd_model_flash_step(struct model_player *player, uint32_t index);

/* ---- model_fetch.c ---- */

/** Whether a fetch ahead of what the request's event loads has begun, or waits. */
bool csd_model_fetch_is_known(const struct model_player *player, uint32_t request);

/** Fetches the LBAs of a load, or asks the device. Returns true if they have arrived; else wakes
 * the request later. */
bool csd_model_fetch_load(struct model_player *player, uint32_t request);

/** Begins a fetch ahead, or puts it in line. */
void csd_model_fetch_ahead(struct model_player *player, uint32_t request);

/** Frees the fetches ahead that wait, at the end of the request. */
void csd_model_fetch_forget(struct model_player *player, uint32_t request);

/** Notes that a flash command of the fetch has ended. */
void csd_model_fetch_flash_done(struct model_player *player, uint32_t index);

void csd_model_fetch_step(struct model_player *player, uint32_t index);

/** Sends the command of a task whose page is at `lba`; returns the fetch, or MODEL_NONE. */
uint32_t csd_model_fetch_task(struct model_player *player, const struct model_fetch *task);

/** The device is done with a task: what its `bytes` say goes to the host. */
void csd_model_fetch_answer(struct model_player *player, uint32_t index);

/** Frees a fetch. */
void csd_model_fetch_release(struct model_player *player, uint32_t index);

/* ---- model_task.c ---- */

/** How many workers the run has, behind its requests. */
uint32_t csd_model_worker_count(const struct csd_model_run *run);

/** Sets up the line of tasks, if the run divides any. @return 0, or -NO_MEMORY */
int csd_model_line_open(struct model_player *player);
void csd_model_line_close(struct model_player *player);

/** Sets up the workers. */
void csd_model_workers_open(struct model_player *player);

/** The page of a task is in the device. */
void csd_model_task_read(struct model_player *player, uint32_t index);

/** The answer to a task, or its page, is in the host. */
void csd_model_task_came(struct model_player *player, uint32_t index);

/* ---- model_runtime.c ---- */

/** Whether the request may have one more page in device memory. */
bool csd_model_may_hold(const struct model_player *player, uint32_t request);

/* ---- model_request.c ---- */

/** Notes that a flash command of the request itself has ended. */
void csd_model_request_flash_done(struct model_player *player, uint32_t index);

/** Takes the next steps of a request. */
void csd_model_request_step(struct model_player *player, uint32_t index);

#endif
