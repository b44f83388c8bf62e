/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The programs over rows in the device: in the memory of a task, over pages of the store. */
#include "base/status.h"
#include "rows/rows_task.h"

enum { PAGE_LBAS = CSD_ROWS_PAGE_BYTES / CSD_LBA_BYTES };

/* The memory of a task; its variables are behind it. */
struct device_task {
  struct csd_rows_init init;
  uint8_t page[CSD_ROWS_PAGE_BYTES];
};

_Static_assert(sizeof(struct device_task) % sizeof(uint64_t) == 0, "variables are aligned");

static struct csd_rows_task *variables(struct device_task *task) { return (void *)(task + 1); }

static int begin(void *memory, uint32_t room, const void *data, uint32_t bytes, uint32_t *limit) {
  struct device_task *task = memory;
  struct csd_rows_init *init = &task->init;
  const uint32_t words = (bytes - (uint32_t)sizeof *init) / (uint32_t)sizeof(uint32_t);
  if (bytes < sizeof *init || room < sizeof *task) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "%u bytes for programs over rows", (unsigned)bytes);
  }
  memcpy(init, data, sizeof *init);
  if (init->parts > CSD_ROWS_MAX_PARTS || init->pages > UINT32_MAX - init->part_pages) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "%u parts, %u and %u pages", (unsigned)init->parts,
                    (unsigned)init->part_pages, (unsigned)init->pages);
  }
  const uint64_t needed = csd_rows_task_bytes(init->parts, words);
  if (needed > room - sizeof *task) {
    return csd_fail(CSD_STATUS_INSUFFICIENT_GRANT, "%llu bytes of variables in %u",
                    (unsigned long long)needed, (unsigned)room);
  }
  *limit = init->part_pages + init->pages;
  return csd_rows_task_open(variables(task), init->parts,
                            (const uint32_t *)((const uint8_t *)data + sizeof *init), words);
}

static int run(void *memory, struct csd_task_io *io, uint32_t from, uint32_t to) {
  struct device_task *task = memory;
  const struct csd_rows_init *init = &task->init;
  struct csd_rows_counts counts = {0};
  int used = 0;
  for (uint32_t i = from; i < to && used >= 0; i++) {
    const bool is_part = i < init->part_pages;
    const uint32_t at = is_part ? i : i - init->part_pages;
    const uint64_t lba = (is_part ? init->part_lba : init->first_lba) + (uint64_t)at * PAGE_LBAS;
    const enum csd_rows_program program =
        is_part ? CSD_ROWS_BUILD : (enum csd_rows_program)init->program;
    int status = io->read(io->context, lba, PAGE_LBAS, task->page);
    if (status == 0) {
      status = io->out == NULL
                   ? csd_rows_process(variables(task), program, task->page, &counts)
                   : csd_rows_filter(variables(task), program, task->page, io->out + used,
                                     io->room - (uint32_t)used, &counts);
    }
    used = status < 0 ? status : used + status;
  }
  io->work[CSD_MODEL_WORK_TUPLE_READ] += counts.rows;
  io->work[CSD_MODEL_WORK_COLUMN_READ] += counts.values;
  io->work[CSD_MODEL_WORK_TOKEN_COMPARE] += counts.tokens;
  return used;
}

static int final(void *memory, void *out, uint32_t room) {
  const uint32_t bytes = CSD_ROWS_MAX_GROUPS * (uint32_t)sizeof(struct csd_rows_group);
  if (room < bytes) {
    return csd_fail(CSD_STATUS_NO_SPACE, "groups in %u bytes", (unsigned)room);
  }
  return (int)(csd_rows_result(variables(memory), out) * sizeof(struct csd_rows_group));
}

const struct csd_task_program csd_rows_tasks = {.begin = begin, .run = run, .final = final};
