/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tasks of sessions. What threads share is under one lock, which nobody holds while a window runs
   or a page is copied. */
#include "device/run/task.h"

#include <time.h>

#include "base/status.h"
#include "base/timed_wait.h"
#include "device/run/run.h"
#include "device/run/task_work.h"

enum { WAIT_NS = 2000000, WINDOWS_A_THREAD = 2 };

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void csd_tasks_open(struct csd_tasks *tasks, uint32_t threads, uint32_t windows,
                    uint32_t raw_percent) {
  *tasks = (struct csd_tasks){.thread_limit = threads != 0 ? threads : 1,
                              .line = {.raw_percent = raw_percent, .dice = 1}};
  tasks->line.limit = windows != 0 ? windows : WINDOWS_A_THREAD * tasks->thread_limit;
  pthread_mutex_init(&tasks->lock, NULL);
  pthread_cond_init(&tasks->work, NULL);
  csd_timed_init(&tasks->room);
  for (uint32_t i = 0; i < CSD_TASK_CONDITIONS; i++) {
    csd_timed_init(&tasks->done[i]);
  }
}

void csd_tasks_get_stats(struct csd_tasks *tasks, struct csd_task_stats *stats) {
  pthread_mutex_lock(&tasks->lock);
  *stats = tasks->stats;
  stats->waiting = tasks->line.waiting;
  stats->threads = tasks->thread_limit;
  pthread_mutex_unlock(&tasks->lock);
}

/* ---- with the lock held ---- */

/* What tells whoever waits for a session that a window of it has ended. Few others wait there. */
static pthread_cond_t *done_of(struct csd_tasks *tasks, const struct csd_session *session) {
  return &tasks->done[session->number % CSD_TASK_CONDITIONS];
}

/* Fewer windows wait than before. */
static void tell_of_room(struct csd_tasks *tasks) {
  if (tasks->wait_for_room > 0) {
    pthread_cond_broadcast(&tasks->room);
  }
}

/* Windows that have not begun are the host's. */
static void drop_windows(struct csd_tasks *tasks, struct csd_session *session) {
  tasks->stats.handed_back += csd_task_line_drop(&tasks->line, &session->task->ring);
  tell_of_room(tasks);
}

/* Waits for a moment at most. Callers look again at what they wait for. */
static void wait_moment(struct csd_tasks *tasks, pthread_cond_t *event) {
  csd_timed_wait(event, &tasks->lock, WAIT_NS);
}

/* The session of a command, if it has a task. */
static int find(struct csd_device *device, uint32_t number, struct csd_session **session) {
  struct csd_session *found = csd_session_find(&device->sessions, number);
  if (found == NULL) {
    return csd_fail(CSD_STATUS_NO_SESSION, "session %u is not open", number);
  }
  if (found->task == NULL) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "session %u has no task", number);
  }
  *session = found;
  return 0;
}

static void end_task(struct csd_session *session) {
  session->task = NULL;
  csd_session_release(session);
}

/* Ends the task when its worker and reader have left it. */
static void cancel(struct csd_tasks *tasks, struct csd_session *session) {
  struct csd_task *task = session->task;
  atomic_store(&task->cancelled, true);
  drop_windows(tasks, session);
  while (session->task == task && (task->ring.running > 0 || task->reading)) {
    wait_moment(tasks, done_of(tasks, session));
  }
  if (session->task == task) {
    end_task(session);
  }
  pthread_cond_broadcast(done_of(tasks, session));
}

/* ---- the device's threads ---- */

static void work_off(struct csd_queue *queue, struct csd_tasks *tasks) {
  struct csd_task_window window;
  struct csd_session *session = csd_task_line_take(&tasks->line, &window)->owner;
  struct csd_task *task = session->task;
  tell_of_room(tasks);
  if (window.waits_from != 0) {
    tasks->stats.waited++;
    tasks->stats.wait_ns += now_ns() - window.waits_from;
  }
  pthread_mutex_unlock(&tasks->lock);
  bool no_room = false;
  const int status = csd_task_work_run(queue, session, &window, &no_room);
  pthread_mutex_lock(&tasks->lock);
  if (status < 0) {
    task->status = status;
  }
  task->filtered = status == 0 ? session->result_bytes : 0;
  if (status < 0 || no_room) {
    task->over = task->over || task->mode != CSD_TASK_MODE_HAND;
    tasks->stats.handed_back += no_room;
    drop_windows(tasks, session);
  } else {
    tasks->stats.done++;
  }
  if (csd_task_line_end(&tasks->line, &task->ring)) {
    pthread_cond_signal(&tasks->work);
  }
  pthread_cond_broadcast(done_of(tasks, session));
}

static void *worker_main(void *queue_of_worker) {
  struct csd_queue *queue = queue_of_worker;
  struct csd_tasks *tasks = &queue->device->tasks;
  pthread_mutex_lock(&tasks->lock);
  while (!tasks->closing) {
    if (tasks->line.first != NULL) {
      work_off(queue, tasks);
    } else {
      pthread_cond_wait(&tasks->work, &tasks->lock);
    }
  }
  pthread_mutex_unlock(&tasks->lock);
  csd_queue_destroy(queue);
  return NULL;
}

/* Starts the threads; a device with fewer than it should have goes on with these. */
static int start_threads(struct csd_device *device) {
  struct csd_tasks *tasks = &device->tasks;
  int status = 0;
  while (tasks->thread_count < tasks->thread_limit && !tasks->closing) {
    struct csd_queue *queue;
    status = csd_queue_create(device, 1, &queue);
    if (status < 0) {
      break;
    }
    if (pthread_create(&tasks->threads[tasks->thread_count], NULL, worker_main, queue) != 0) {
      csd_queue_destroy(queue);
      status = csd_fail(CSD_STATUS_NO_MEMORY, "a thread of the device");
      break;
    }
    tasks->thread_count++;
  }
  return tasks->thread_count > 0 ? 0 : status < 0 ? status : -CSD_STATUS_CLOSED;
}

void csd_tasks_stop(struct csd_tasks *tasks) {
  pthread_mutex_lock(&tasks->lock);
  tasks->closing = true;
  pthread_cond_broadcast(&tasks->work);
  pthread_cond_broadcast(&tasks->room);
  for (uint32_t i = 0; i < CSD_TASK_CONDITIONS; i++) {
    pthread_cond_broadcast(&tasks->done[i]);
  }
  pthread_mutex_unlock(&tasks->lock);
  for (uint32_t i = 0; i < tasks->thread_count; i++) {
    pthread_join(tasks->threads[i], NULL);
  }
}

void csd_tasks_close(struct csd_tasks *tasks) {
  pthread_cond_destroy(&tasks->work);
  pthread_cond_destroy(&tasks->room);
  for (uint32_t i = 0; i < CSD_TASK_CONDITIONS; i++) {
    pthread_cond_destroy(&tasks->done[i]);
  }
  pthread_mutex_destroy(&tasks->lock);
}

/* ---- commands ---- */

int csd_task_init(struct csd_queue *queue, const struct csd_submission *command) {
  struct csd_device *device = queue->device;
  struct csd_session *session;
  int status = csd_session_acquire(&device->sessions, command->cdw10, &session);
  if (status < 0) {
    return csd_fail_in(status, "INIT_TSK");
  }
  session->result_bytes = 0;
  pthread_mutex_lock(&device->tasks.lock);
  status = start_threads(device);
  if (status == 0) {
    status = csd_task_work_begin(queue, session, command);
  }
  if (status < 0) {
    session->task = NULL;
    csd_session_release(session);
  } else {
    device->tasks.stats.tasks++;
  }
  pthread_mutex_unlock(&device->tasks.lock);
  return status < 0 ? csd_fail_in(status, "INIT_TSK in session %u", command->cdw10) : 0;
}

/* Checks a window against its task. */
static int check_window(const struct csd_task *task, const struct csd_submission *c) {
  const struct csd_plan_header *header = &task->gather.header;
  if (c->cdw11 < task->next_doc || c->cdw11 >= c->cdw12 || c->cdw12 > header->limit_doc) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "a window of the docs %u to %u, not in %u to %u",
                    c->cdw11, c->cdw12, task->next_doc, header->limit_doc);
  }
  if (c->cdw13 != 0 && header->mode != CSD_MODE_TOP_K) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "a least score for a plan of mode %u", header->mode);
  }
  return 0;
}

/* Offers the window of a command to the line, if the task still takes windows. */
static enum csd_task_place offer(struct csd_tasks *tasks, struct csd_session *session,
                                 const struct csd_submission *c) {
  struct csd_task *task = session->task;
  const struct csd_task_window window = {.min_doc = c->cdw11,
                                         .limit_doc = c->cdw12,
                                         .min_score_bits = c->cdw13,
                                         /* No clock is read as long as nobody waits. */
                                         .waits_from = tasks->line.waiting > 0 ? now_ns() : 0};
  const bool in_line = task->ring.in_line;
  const enum csd_task_place place =
      task->over ? CSD_TASK_PLACE_RAW : csd_task_line_offer(&tasks->line, &task->ring, &window);
  if (task->ring.in_line != in_line) {
    pthread_cond_signal(&tasks->work);
  }
  if (place == CSD_TASK_PLACE_TAKEN) {
    task->next_doc = c->cdw12;
    tasks->stats.taken++;
  }
  return place;
}

/* Whether nobody is at the task, and no window waits. */
static bool is_idle(const struct csd_task *task) {
  return task->ring.count == 0 && task->ring.running == 0 && !task->reading;
}

/* Waits a moment. @return 0 if the caller has to look again, else what ends the command */
static int wait_again(const struct csd_queue *queue, struct csd_tasks *tasks, pthread_cond_t *event,
                      uint64_t budget) {
  int status = csd_run_stopped(queue);
  if (status == 0) {
    tasks->wait_for_room += event == &tasks->room;
    wait_moment(tasks, event);
    tasks->wait_for_room -= event == &tasks->room;
    status = csd_run_stopped(queue);
  }
  return status == 0 && budget != CSD_BUDGET_UNLIMITED ? CSD_COMMAND_PENDING : status;
}

int csd_task_take(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                  uint32_t *dw0) {
  struct csd_tasks *tasks = &queue->device->tasks;
  struct csd_session *session;
  pthread_mutex_lock(&tasks->lock);
  int status;
  for (;;) {
    status = find(queue->device, command->cdw10, &session);
    if (status == 0) {
      status = session->task->mode == CSD_TASK_MODE_HAND
                   ? csd_fail(CSD_STATUS_INVALID_FIELD, "READ_PROC in a task of mode HAND")
                   : check_window(session->task, command);
    }
    if (status < 0) {
      break;
    }
    const enum csd_task_place place = offer(tasks, session, command);
    if (place != CSD_TASK_PLACE_WAITS) {
      tasks->stats.raw += place == CSD_TASK_PLACE_RAW;
      *dw0 = place == CSD_TASK_PLACE_RAW ? CSD_TASK_ANSWER_RAW : CSD_TASK_ANSWER_TAKEN;
      break;
    }
    /* Whether the device or the task has no room. */
    status = wait_again(
        queue, tasks, csd_task_line_is_full(&tasks->line) ? &tasks->room : done_of(tasks, session),
        budget);
    if (status != 0) {
      break;
    }
  }
  pthread_mutex_unlock(&tasks->lock);
  return status < 0 ? csd_fail_in(status, "READ_PROC in session %u", command->cdw10) : status;
}

/* Puts the window of a READ_FILT into the queue, or waits a moment if there is no room. */
static int begin_filter(struct csd_queue *queue, struct csd_tasks *tasks,
                        const struct csd_submission *command, uint64_t budget) {
  struct csd_session *session;
  const int found = find(queue->device, command->cdw10, &session);
  if (found < 0) {
    return found;
  }
  struct csd_task *task = session->task;
  if (task->mode != CSD_TASK_MODE_HAND) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "READ_FILT in a task of mode %u", task->mode);
  }
  if (!is_idle(task)) {
    return csd_fail(CSD_STATUS_BUSY, "session %u filters another window", command->cdw10);
  }
  task->next_doc = task->gather.header.min_doc; /* a page may be full: windows may come again */
  const int status = check_window(task, command);
  if (status < 0) {
    return status;
  }
  if (offer(tasks, session, command) == CSD_TASK_PLACE_WAITS) {
    return wait_again(queue, tasks, &tasks->room, budget);
  }
  task->status = 0;
  queue->filtering = true;
  return 0;
}

/* Waits a moment for the window's end. */
static int go_on_filter(struct csd_queue *queue, struct csd_tasks *tasks,
                        const struct csd_submission *command, uint64_t budget, uint32_t *dw0) {
  struct csd_session *session;
  int status = find(queue->device, command->cdw10, &session);
  if (status < 0) {
    return status;
  }
  struct csd_task *task = session->task;
  if (is_idle(task)) {
    queue->filtering = false;
    *dw0 = task->filtered;
    return task->status < 0 ? csd_fail(-task->status, "the window failed") : 0;
  }
  status = wait_again(queue, tasks, done_of(tasks, session), budget);
  if (status < 0 && session->task == task) {
    cancel(tasks, session);
  }
  return status;
}

int csd_task_filter(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                    uint32_t *dw0) {
  struct csd_tasks *tasks = &queue->device->tasks;
  int status = 0;
  pthread_mutex_lock(&tasks->lock);
  while (status == 0 && !queue->filtering) {
    status = begin_filter(queue, tasks, command, budget);
  }
  while (status == 0 && queue->filtering) {
    status = go_on_filter(queue, tasks, command, budget, dw0);
  }
  pthread_mutex_unlock(&tasks->lock);
  if (status < 0) {
    queue->filtering = false;
  }
  return status < 0 ? csd_fail_in(status, "READ_FILT in session %u", command->cdw10) : status;
}

/* Leaves what the windows have come to as the session's result page, and ends the task. */
static int leave_page(struct csd_tasks *tasks, struct csd_session *session, uint32_t *dw0) {
  struct csd_task *task = session->task;
  int status = task->status < 0 ? csd_fail(-task->status, "a window failed") : 0;
  session->result_bytes = 0;
  if (status == 0) {
    task->reading = true;
    pthread_mutex_unlock(&tasks->lock);
    status = csd_task_work_leave(session);
    pthread_mutex_lock(&tasks->lock);
    *dw0 = session->result_bytes;
  }
  end_task(session);
  pthread_cond_broadcast(done_of(tasks, session));
  return status;
}

int csd_task_final(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                   uint32_t *dw0) {
  struct csd_tasks *tasks = &queue->device->tasks;
  struct csd_session *session;
  pthread_mutex_lock(&tasks->lock);
  int status;
  for (;;) {
    status = find(queue->device, command->cdw10, &session);
    if (status < 0) {
      break;
    }
    struct csd_task *task = session->task;
    if ((command->cdw11 & CSD_FINAL_FLAG_HAND_BACK) != 0) {
      drop_windows(tasks, session);
    }
    if (is_idle(task)) {
      status = leave_page(tasks, session, dw0);
      break;
    }
    status = wait_again(queue, tasks, done_of(tasks, session), budget);
    if (status < 0 && session->task == task) {
      cancel(tasks, session);
    }
    if (status != 0) {
      break;
    }
  }
  pthread_mutex_unlock(&tasks->lock);
  return status < 0 ? csd_fail_in(status, "FINAL in session %u", command->cdw10) : status;
}

void csd_task_cancel(struct csd_device *device, uint32_t number) {
  struct csd_tasks *tasks = &device->tasks;
  pthread_mutex_lock(&tasks->lock);
  struct csd_session *session = csd_session_find(&device->sessions, number);
  if (session != NULL && session->task != NULL) {
    cancel(tasks, session);
  }
  pthread_mutex_unlock(&tasks->lock);
}

int64_t csd_task_page_begin(struct csd_device *device, uint32_t number, const uint8_t **page) {
  struct csd_tasks *tasks = &device->tasks;
  int64_t bytes = -1;
  pthread_mutex_lock(&tasks->lock);
  struct csd_session *session = csd_session_find(&device->sessions, number);
  struct csd_task *task = session != NULL ? session->task : NULL;
  if (task != NULL && task->mode == CSD_TASK_MODE_HAND && is_idle(task)) {
    task->reading = true;
    *page = csd_session_result(session);
    bytes = task->filtered;
  }
  pthread_mutex_unlock(&tasks->lock);
  return bytes;
}

void csd_task_page_end(struct csd_device *device, uint32_t number) {
  struct csd_tasks *tasks = &device->tasks;
  pthread_mutex_lock(&tasks->lock);
  struct csd_session *session = csd_session_find(&device->sessions, number);
  if (session != NULL && session->task != NULL) {
    session->task->reading = false;
    pthread_cond_broadcast(done_of(tasks, session));
  }
  pthread_mutex_unlock(&tasks->lock);
}
