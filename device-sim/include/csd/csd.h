/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A computational storage device in the process: a block store over a sparse file, and programs
 * that run next to the posting pages it holds. Commands go in and completions come out as the wire
 * lays them out (csd_wire.h; the text is wire/WIRE.md).
 *
 * Functions return 0, or a count, on success and a negated csd_status on failure; csd_last_error()
 * then says what and where. A failed command is no failed call: its status is in its completion.
 *
 * Threads: a device may be used by many threads; a queue belongs to one thread at a time.
 * Commands run inside csd_queue_poll() on the caller's thread. The engine starts threads for one
 * thing only, the windows of tasks, when the first INIT_TSK comes; csd_device_close() ends them.
 */
#ifndef CSD_H
#define CSD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csd/csd_wire.h"

#ifdef __cplusplus
extern "C" {
#endif

struct csd_device;
struct csd_queue;

/** Runs programs to their end in one csd_queue_poll(). */
#define CSD_BUDGET_UNLIMITED UINT64_MAX

/** Most bytes of one command's data. */
#define CSD_MAX_TRANSFER_BYTES (1u << 20)
/** Most bytes of a plan: every limit of the wire reached at once. */
#define CSD_MAX_PLAN_BYTES                                                                         \
  ((uint32_t)(sizeof(struct csd_plan_header) + CSD_MAX_PLAN_NODES * sizeof(struct csd_plan_node) + \
              CSD_MAX_PLAN_LISTS * sizeof(struct csd_list_ref) +                                   \
              CSD_MAX_PLAN_EXTENTS * sizeof(struct csd_extent) +                                   \
              CSD_MAX_PLAN_TABLES * CSD_NORM_TABLE_BYTES))
/** Bounds of a session's grant, and the grant of an OPEN whose cdw10 is 0. */
#define CSD_MIN_GRANT_BYTES (128u << 10)
#define CSD_DEFAULT_GRANT_BYTES (1u << 20)
#define CSD_MAX_GRANT_BYTES (64u << 20)
/** Bounds of the result page; it is an eighth of the grant, within these. */
#define CSD_MIN_RESULT_BYTES (64u << 10)
#define CSD_MAX_RESULT_BYTES (1u << 20)
/** Most entries of a queue. */
#define CSD_MAX_QUEUE_DEPTH 4096u

/** What a program of tasks gets for a window. */
struct csd_task_io {
  void *context;
  /** Reads LBAs, which the program's memory has room for. @return 0, or a negated status */
  int (*read)(void *context, uint64_t lba, uint32_t count, void *to);
  uint8_t *out;  /**< READ_FILT: where what goes to the host is put; NULL: READ_PROC */
  uint32_t room; /**< bytes there */
  uint64_t work[CSD_MODEL_WORK_SLOTS]; /**< what the program did; it counts here, for the model */
};

/**
 * A program that the device has beside plans: a task may run it (INIT_TSK, cdw14). It is called by
 * one thread at a time for a task. Functions return what is said, or a negated status.
 */
struct csd_task_program {
  /**
   * Begins a task with the data of INIT_TSK, whose buffer the host may change meanwhile.
   *
   * @param memory  of the session's grant, `room` bytes, aligned to 64; the task's until it ends
   * @param limit   set: windows end there at most
   * @return 0
   */
  int (*begin)(void *memory, uint32_t room, const void *data, uint32_t bytes, uint32_t *limit);
  /** Runs the window of READ_PROC or READ_FILT. @return bytes that were put out */
  int (*run)(void *memory, struct csd_task_io *io, uint32_t from, uint32_t to);
  /** Puts out what all windows have come to, for FINAL. @return bytes of it */
  int (*final)(void *memory, void *out, uint32_t room);
};

/** How to open a device. Zero in a number stands for its default. */
struct csd_device_options {
  const char *path;        /**< backing file; made if absent, unless it is opened for reading, for
                                its owner only (mode 0600); one that is there keeps its mode */
  uint64_t capacity_bytes; /**< size of the namespace, a multiple of CSD_LBA_BYTES; default 64 GiB.
                                The file is sparse: what was never written takes no space */
  uint64_t dram_bytes;     /**< device memory for pages; default 1 GiB or a quarter of the machine's
                                memory, whichever is less; touched only as it fills */
  uint32_t max_sessions;   /**< sessions open at once, at most 65535; default 1024 */
  uint64_t session_bytes;  /**< grants of all open sessions together; default: max_sessions times
                                CSD_MAX_GRANT_BYTES */
  uint64_t resource_bytes; /**< all resources together; default 1 GiB */
  uint64_t index_bytes;    /**< cache of the page index, which lies beside the backing file, as
                                path.idx; default 16 MiB, for 1.5 GiB of pages */
  const char *model;       /**< what device_info.model says, copied in part if it is too long;
                                default "csd in-process device" */
  const char *kernels;     /**< name of the kernels to use, "scalar", "avx2", "avx512",
                                "avx512vp2" or "neon";
                                default: of CSD_KERNELS in the environment, else the best ones */
  bool read_only;          /**< refuse writes; the file may be open for writing elsewhere */
  bool read_first;         /**< as read_only, until csd_device_open_for_writing(); and the file may
                                be absent, and reads as zeros until somebody makes it */
  uint32_t task_threads;   /**< threads that run windows of tasks, at most 64; default 1 */
  uint32_t task_windows;   /**< windows of all tasks that may wait; default two a thread */
  uint32_t raw_percent;    /**< of the windows that tasks of mode DYNAMIC offer, so many of 100 are
                                refused at random as if the queue were full: for tests */
  /** Programs that tasks may name, by their numbers from 1; they stay until the device is closed.
   */
  const struct csd_task_program *const *task_programs;
  uint32_t task_program_count;
  bool direct; /**< read pages past the system's cache, if the file system lets one:
                    where device memory is the cache that counts */
  /** Such pages come no faster than this, as from a slow drive: for tests of models; default: as
   *  fast as the drive gives them. */
  uint64_t direct_bytes_per_s;
  uint32_t slow; /**< programs take so many times what they take of the processor, 1000 at most, as
                      on slower cores: for tests of models; default 1 */
  uint32_t boot; /**< where the numbers of sessions and resources begin: another number
                      each time for a device whose hosts may outlive it, so that none
                      that they still have names something else */
};

/**
 * The most memory that a device takes, in bytes. Most of it is touched only as it fills. Not in it:
 * queues, and what the timing model records while it is switched on.
 */
struct csd_device_memory {
  uint64_t pages;     /**< posting pages, and what is noted of each */
  uint64_t index;     /**< cache of the page index, and 12 bytes an LBA; touched as they fill */
  uint64_t sessions;  /**< grants */
  uint64_t resources; /**< live docs */
};

/** What tasks did since the device was opened. */
struct csd_task_stats {
  uint64_t tasks;       /**< begun */
  uint64_t taken;       /**< windows that were put into a queue */
  uint64_t raw;         /**< windows that the host got back at once: a queue was full */
  uint64_t handed_back; /**< windows taken, but not run, or whose result found no room */
  uint64_t done;        /**< windows run */
  uint64_t waited;      /**< windows begun that had found others waiting */
  uint64_t wait_ns;     /**< how long these have waited together */
  uint32_t waiting;     /**< windows, now */
  uint32_t threads;     /**< that the device may have */
};

/** What a device did since it was opened. */
struct csd_device_stats {
  uint64_t commands;         /**< commands completed */
  uint64_t commands_failed;  /**< of these with a status other than OK */
  uint64_t programs;         /**< plans run to their end */
  uint64_t lbas_read;        /**< by READ */
  uint64_t lbas_written;     /**< by WRITE */
  uint64_t lbas_trimmed;     /**< by TRIM */
  uint64_t result_bytes;     /**< handed out by FETCH */
  uint64_t page_hits;        /**< pins served from device memory */
  uint64_t page_loads;       /**< pages read from the store and validated */
  uint64_t page_reloads;     /**< of these, pages that were known to be valid from before */
  uint64_t page_asks;        /**< pages asked for before they were to be used */
  uint64_t pages_read_ahead; /**< of a direct device: loads that found their page asked for */
  uint64_t reads_ahead;      /**< of a direct device: reads that nobody waited for at first */
  uint64_t reads_deepest;    /**< of a direct device: most pages that were under way at once */
  uint64_t page_evictions;   /**< pages that left device memory for others */
  uint64_t page_rejects;     /**< pages refused: corrupt, stale or of another version */
  uint64_t worked_ns;        /**< of a device whose cores are slow: what programs have taken of the
                                  processor, */
  uint64_t slowed_ns;        /**< and how long they have waited for it */
  uint64_t index_loads;      /**< index pages that were read from the store into the cache */
  uint64_t index_rebuilt;    /**< entries of the page index that a crash had left undone, rebuilt as
                                  the device was opened */
  uint32_t sessions_open;    /**< now */
  uint32_t resources;        /**< now */
  uint64_t resource_bytes;   /**< now */
  struct csd_task_stats tasks;
};

/**
 * Opens a device over its backing file.
 *
 * @param options  copied
 * @param device   set to the device, to be closed with csd_device_close()
 * @return 0, or a negated status: INVALID_ARGUMENT, LOCKED (another one has it open for writing),
 *         NO_MEMORY, IO_ERROR
 */
int csd_device_open(const struct csd_device_options *options, struct csd_device **device);

/**
 * Makes a device that was opened with `read_first` writable: makes the file if it is absent, and
 * keeps others from writing to it until the device is closed. Harmless if it is writable. Commands
 * may run meanwhile. If it fails, the device is as before, and may be asked again.
 *
 * @return 0, or a negated status: LOCKED (another one has it open for writing), READ_ONLY (opened
 *         with `read_only`, no permission, or a read-only file system), IO_ERROR, INVALID_ARGUMENT
 */
int csd_device_open_for_writing(struct csd_device *device);

/**
 * Closes a device; call once. Running programs end soon with status CLOSED. Returns when no thread
 * is inside a call of one of its queues any more, with the file and the device memory freed.
 * Its queues live on until destroyed; their calls return CLOSED.
 */
void csd_device_close(struct csd_device *device);

/** Says how much memory a device may come to take. */
void csd_device_get_memory(const struct csd_device *device, struct csd_device_memory *memory);

/** Reads the counters; each is exact, together they are no snapshot. */
void csd_device_get_stats(struct csd_device *device, struct csd_device_stats *stats);

/**
 * Makes a queue.
 *
 * @param depth  commands submitted but not yet completed at most, 1 to CSD_MAX_QUEUE_DEPTH
 * @return 0, or a negated status: INVALID_ARGUMENT, NO_MEMORY, CLOSED
 */
int csd_queue_create(struct csd_device *device, uint32_t depth, struct csd_queue **queue);

/** Destroys a queue; pending commands are forgotten. Call once; fine after csd_device_close(). */
void csd_queue_destroy(struct csd_queue *queue);

/**
 * Appends commands to a queue, all of them or none. They are copied and run later, in order, inside
 * csd_queue_poll(). Their data buffers (`data`, `data_bytes`: an address in this process) must stay
 * until their completions have been returned.
 *
 * @return 0, or a negated status: INVALID_ARGUMENT, QUEUE_FULL, CLOSED, BUSY
 */
int csd_queue_submit(struct csd_queue *queue, const struct csd_submission *submissions,
                     uint32_t count);

/**
 * Runs pending commands on the calling thread and returns their completions in order. Returns when
 * no command is left, when `max` completions are there, or when a program has used the budget up;
 * the next call goes on with it.
 *
 * @param completions  room for `max`
 * @param max          at least 1
 * @param budget       postings that programs may work off in this call, about; at least 1, or
 *                     CSD_BUDGET_UNLIMITED
 * @return number of completions, or a negated status: INVALID_ARGUMENT, CLOSED, BUSY (another
 *         thread is inside this queue)
 */
int csd_queue_poll(struct csd_queue *queue, struct csd_completion *completions, uint32_t max,
                   uint64_t budget);

/**
 * Makes durable what WRITEs that are complete have written. A FLUSH also writes back what the
 * device has cached of the page index, which can be made again from the pages; a host that wants a
 * single write to be durable can do without.
 *
 * @return 0, or a negated status: INVALID_ARGUMENT, CLOSED, BUSY, IO_ERROR
 */
int csd_queue_sync(struct csd_queue *queue);

/** LBAs that lie together. */
struct csd_lba_run {
  uint64_t lba, count;
};

/**
 * Asks for posting pages that SUBMITs to come will read, as a program asks for the first pages of
 * its lists: does not wait, and asks for nothing where the first page of a run is in device memory.
 *
 * @return 0, or a negated status: INVALID_ARGUMENT, CLOSED, BUSY
 */
int csd_queue_ask(struct csd_queue *queue, const struct csd_lba_run *runs, uint32_t count);

/**
 * Returns whether programs of the queue have asked storage for pages since this was called last.
 * Owner thread only.
 */
bool csd_queue_has_asked(struct csd_queue *queue);

/** Commands submitted whose completion csd_queue_poll() has not yet returned. Owner thread only. */
uint32_t csd_queue_pending(const struct csd_queue *queue);

/**
 * Ends the programs of this queue: every SUBMIT command submitted before this call and not yet
 * complete completes with ABORTED, at a later or the present csd_queue_poll(). May be called from
 * any thread, as long as the queue is not being destroyed.
 */
void csd_queue_abort(struct csd_queue *queue);

/**
 * What went wrong in the calling thread's latest failed call or command, from the inner cause
 * outwards; "" if nothing has. Valid until this thread's next call.
 */
const char *csd_last_error(void);

/** Name of a status, given as positive or negated number, such as "PAGE_CORRUPT". */
const char *csd_status_name(int status);

/** Wire version that the library speaks; compare with CSD_WIRE_VERSION before the first call. */
uint32_t csd_wire_version(void);

/** Status of a completion. */
static inline int csd_completion_status(const struct csd_completion *completion) {
  return completion->phase_status >> 1;
}

#ifdef __cplusplus
}
#endif

#endif
