/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "timing/timing_flash.h"

#include "base/lazy_memory.h"
#include "base/status.h"

typedef unsigned long long ull;

void csd_timing_flash_open(struct csd_timing_flash *flash, const struct csd_model_profile *profile,
                           uint64_t lba_count, uint64_t stored_lbas) {
  *flash = (struct csd_timing_flash){
      .profile = profile, .store_lbas = lba_count, .stored_lbas = stored_lbas};
  pthread_mutex_init(&flash->lock, NULL);
}

void csd_timing_flash_close(struct csd_timing_flash *flash) {
  csd_lazy_free(flash->log_memory, 1, CSD_TIMING_WRITE_LOG_BYTES);
  csd_lazy_free(flash->ftl, 1, flash->ftl_bytes);
  pthread_mutex_destroy(&flash->lock);
}

/* ---- the FTL ---- */

/* How many LBAs, up to those of the store, the modelled flash has room for. */
static uint32_t lbas_that_fit(const struct csd_timing_flash *flash) {
  const uint64_t wanted = flash->store_lbas;
  uint32_t fits = 0;
  uint32_t fails = wanted < CSD_TIMING_FLASH_LBAS ? (uint32_t)wanted : CSD_TIMING_FLASH_LBAS;
  uint64_t bytes;
  if (csd_ftl_size(flash->profile, fails, &bytes) == 0) {
    return fails;
  }
  while (fails - fits > 1) {
    const uint32_t middle = fits + (fails - fits) / 2;
    if (csd_ftl_size(flash->profile, middle, &bytes) == 0) {
      fits = middle;
    } else {
      fails = middle;
    }
  }
  return fits;
}

/* Makes the FTL and writes to it all that the store held when the profile was set. */
static int make_ftl(struct csd_timing_flash *flash) {
  flash->lba_count = lbas_that_fit(flash);
  int status = csd_ftl_size(flash->profile, flash->lba_count, &flash->ftl_bytes);
  if (status < 0) {
    return status;
  }
  void *memory = csd_lazy_alloc(1, flash->ftl_bytes);
  if (flash->log_memory == NULL) {
    flash->log_memory = csd_lazy_alloc(1, CSD_TIMING_WRITE_LOG_BYTES);
  }
  if (memory == NULL || flash->log_memory == NULL) {
    csd_lazy_free(memory, 1, flash->ftl_bytes);
    return csd_fail(CSD_STATUS_NO_MEMORY, "model: an FTL of %llu bytes", (ull)flash->ftl_bytes);
  }
  csd_model_log_init(&flash->log, flash->log_memory, CSD_TIMING_WRITE_LOG_BYTES, NULL, NULL);
  flash->log.bare = true;
  status = csd_ftl_init(flash->profile, flash->lba_count, memory, flash->ftl_bytes, &flash->ftl);
  const uint32_t known =
      flash->stored_lbas < flash->lba_count ? (uint32_t)flash->stored_lbas : flash->lba_count;
  if (status == 0 && known > 0) {
    status = csd_ftl_write(flash->ftl, 0, known, NULL);
  }
  if (status < 0) {
    csd_lazy_free(memory, 1, flash->ftl_bytes);
    flash->ftl = NULL;
  }
  return status;
}

/* Returns the FTL, and makes it first if there is none; NULL if it cannot follow these LBAs. */
static struct csd_ftl *ftl_for(struct csd_timing_flash *flash, uint64_t lba, uint64_t count) {
  if (flash->failure == 0 && flash->ftl == NULL) {
    flash->failure = make_ftl(flash);
  }
  if (flash->failure == 0 && lba + count > flash->lba_count) {
    flash->failure =
        csd_fail(CSD_STATUS_OUT_OF_RANGE, "model: LBA %llu was written, the modelled flash has %u",
                 (ull)(lba + count - 1), flash->lba_count);
  }
  return flash->failure == 0 ? flash->ftl : NULL;
}

void csd_timing_flash_written(struct csd_timing_flash *flash, uint64_t lba, uint64_t count) {
  pthread_mutex_lock(&flash->lock);
  struct csd_ftl *ftl = ftl_for(flash, lba, count);
  if (ftl != NULL) {
    if (flash->log.ended) {
      csd_model_log_clear(&flash->log); /* it was reported */
    }
    (void)csd_ftl_write(ftl, (uint32_t)lba, (uint32_t)count,
                        &flash->log); /* a full log fails later */
  }
  pthread_mutex_unlock(&flash->lock);
}

void csd_timing_flash_trimmed(struct csd_timing_flash *flash, uint64_t lba, uint64_t count) {
  pthread_mutex_lock(&flash->lock);
  /* Without an FTL, only LBAs that were stored before need one to be trimmed. */
  const uint64_t end = flash->ftl != NULL ? flash->lba_count : flash->stored_lbas;
  if (lba < end) {
    if (count > end - lba) {
      count = end - lba;
    }
    struct csd_ftl *ftl = ftl_for(flash, lba, count);
    if (ftl != NULL) {
      (void)csd_ftl_trim(ftl, (uint32_t)lba, (uint32_t)count);
    }
  }
  pthread_mutex_unlock(&flash->lock);
}

/* ---- playing ---- */

static int play(struct csd_timing_flash *flash, struct csd_model_run *run) {
  if (flash->failure < 0) {
    return csd_fail(-flash->failure, "model: what was written cannot be followed on this flash");
  }
  struct csd_model_place place;
  if (flash->ftl != NULL) {
    place = csd_ftl_place(flash->ftl);
    run->place = &place;
  }
  const int status = csd_model_play(run);
  run->place = NULL;
  return status;
}

int csd_timing_flash_play(struct csd_timing_flash *flash, struct csd_model_run *run) {
  pthread_mutex_lock(&flash->lock);
  const int status = play(flash, run);
  pthread_mutex_unlock(&flash->lock);
  return status;
}

/* Ends the log of writes, so that it can be played. */
static int end_log(struct csd_timing_flash *flash) {
  struct csd_model_log *log = &flash->log;
  if (flash->ftl == NULL || (log->events == 0 && log->failure == 0)) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "model: nothing has been written");
  }
  const int failure = log->failure;
  if (failure < 0) {
    csd_model_log_clear(log);
    return csd_fail(-failure, "model: more was written than the record of it has room for");
  }
  return log->ended ? 0 : csd_model_log_add(log, CSD_MODEL_END, 0, 0, NULL);
}

int csd_timing_flash_report(struct csd_timing_flash *flash, enum csd_model_side side,
                            struct csd_model_report *report) {
  const struct csd_model_log *log = &flash->log;
  struct csd_model_run run = {
      .profile = flash->profile, .side = side, .count = 1, .logs = &log, .reports = report};
  pthread_mutex_lock(&flash->lock);
  int status = flash->failure < 0 ? 0 : end_log(flash); /* play reports that failure */
  if (status == 0) {
    status = play(flash, &run);
  }
  pthread_mutex_unlock(&flash->lock);
  return status;
}
