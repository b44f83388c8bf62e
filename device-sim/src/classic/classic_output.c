/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "classic/classic_programs.h"

void csd_classic_emit(struct classic_output *output, uint32_t doc, uint64_t score) {
  if (output->count == output->room) {
    csd_classic_drain(output);
  }
  output->work.counts->result_writes++;
  output->records[output->count++] =
      (struct csd_classic_result){.doc = doc, .reserved = 0, .score = score};
}

static void send(struct classic_output *output, uint32_t count) {
  if (count == 0) {
    return;
  }
  const uint64_t bytes = (uint64_t)count * CSD_CLASSIC_RESULT_BYTES;
  output->work.counts->bytes_sent += bytes;
  if (output->work.device->event != NULL) {
    const struct csd_classic_event event = {
        .kind = CSD_CLASSIC_SEND, .bytes = bytes, .counts = output->work.counts};
    output->work.device->event(output->work.device->context, &event);
  }
}

static void rank(struct classic_output *output) {
  for (uint32_t i = 0; i < output->count; i++) {
    output->work.counts->result_reads++;
    const struct csd_classic_result result = output->records[i];
    csd_classic_top_offer(&output->top, &result, output->work.counts);
  }
}

void csd_classic_drain(struct classic_output *output) {
  output->work.counts->results += output->count;
  if (output->ranked) {
    rank(output);
  } else if (output->count > output->host_room - output->host_count) {
    output->overflow = true;
  } else if (output->count > 0) {
    memcpy(output->host + output->host_count, output->records,
           output->count * sizeof *output->records);
    output->host_count += output->count;
    send(output, output->count);
  }
  output->count = 0;
}

void csd_classic_finish(struct classic_output *output) {
  csd_classic_drain(output);
  if (!output->ranked) {
    return;
  }
  if (output->top.count > output->host_room) {
    output->overflow = true;
    return;
  }
  output->host_count = csd_classic_top_take(&output->top, output->host, output->work.counts);
  send(output, output->host_count);
}
