/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Reports: where simulated time and energy went. */
#include <string.h>

#include "model/model_player.h"

/* The resource whose use gives each component's active energy. */
static const struct {
  uint8_t component, resource;
} by_use[] = {
    {CSD_MODEL_COMPONENT_LINK, CSD_MODEL_RESOURCE_LINK},
    {CSD_MODEL_COMPONENT_CORE, CSD_MODEL_RESOURCE_CORE},
    {CSD_MODEL_COMPONENT_DRAM, CSD_MODEL_RESOURCE_DRAM_BUS},
    {CSD_MODEL_COMPONENT_CHANNEL, CSD_MODEL_RESOURCE_CHANNEL},
    {CSD_MODEL_COMPONENT_FLASH, CSD_MODEL_RESOURCE_PLANE},
    {CSD_MODEL_COMPONENT_HOST_CORE, CSD_MODEL_RESOURCE_HOST_CORE},
    {CSD_MODEL_COMPONENT_HOST_DRAM, CSD_MODEL_RESOURCE_HOST_DRAM},
};

void csd_model_add_trace(struct model_player *player, uint32_t request,
                         const struct model_use *use) {
  struct csd_model_trace *trace = player->run->trace;
  if (trace == NULL || use->until <= use->from) {
    return;
  }
  if (trace->count == trace->room) {
    trace->lost++;
    return;
  }
  trace->records[trace->count++] = (struct csd_model_trace_record){
      .start_ns = use->from / 1000,
      .end_ns = use->until / 1000,
      .page = use->lba,
      .amount = use->amount > UINT32_MAX ? UINT32_MAX : (uint32_t)use->amount,
      .unit = (uint16_t)use->unit,
      .request = (uint16_t)player->requests[request].of,
      .resource = (uint8_t)use->resource,
      .what = (uint8_t)use->what,
  };
}

void csd_model_charge(struct model_player *player, uint32_t request, const struct model_use *use) {
  struct model_request *r = &player->requests[player->requests[request].of];
  struct model_use clipped = *use;
  if (r->finished && clipped.until > r->report.finish_ps) {
    clipped.until = r->report.finish_ps;
  }
  if (clipped.until <= clipped.from) {
    return;
  }
  struct model_unit *unit = &player->units[use->resource][use->unit];
  const uint64_t busy = clipped.until - clipped.from;
  unit->busy = model_sum(unit->busy, busy);
  r->report.busy_ps[use->resource] = model_sum(r->report.busy_ps[use->resource], busy);
  r->bytes_moved[use->resource] = model_sum(r->bytes_moved[use->resource], use->amount);
  csd_model_add_trace(player, request, &clipped);
}

void csd_model_spend(struct model_player *player, uint32_t request, enum csd_model_part part,
                     uint64_t until) {
  struct model_request *r = &player->requests[request];
  r->report.part_ps[part] += until - r->mark;
  r->mark = until;
}

/* Counts the requests that keep something at work, and sums up the time while there is one. */
static void works(const struct model_player *player, int more, uint32_t *count, uint64_t *from,
                  uint64_t *sum) {
  if (more > 0 && (*count)++ == 0) {
    *from = player->now;
  }
  if (more < 0 && --*count == 0) {
    *sum += player->now - *from;
  }
}

void csd_model_controller_works(struct model_player *player, int more) {
  works(player, more, &player->active_controller, &player->controller_from, &player->controller_ps);
}

void csd_model_host_works(struct model_player *player, int more) {
  works(player, more, &player->active_host, &player->host_from, &player->host_ps);
}

/* Millionths of a value, rounded down. */
static uint64_t millionths(uint64_t value, uint64_t millionths_of_it) {
  const model_wide part = (model_wide)value * millionths_of_it / 1000000u;
  return part > UINT64_MAX ? UINT64_MAX : (uint64_t)part;
}

/* The energy of a core at another clock than the one that its power is given at. Power grows with
 * the clock and with the square of the voltage, which is 0.6 + 0.4 f of what it is there. */
static uint64_t at_clock(uint64_t pj, uint64_t hz, uint64_t power_hz) {
  if (power_hz == 0) {
    return pj;
  }
  const uint64_t clock = hz * 1000000u / power_hz;
  const uint64_t volts = 600000u + clock * 2 / 5;
  return millionths(millionths(millionths(pj, clock), volts), volts);
}

static void add_energy(const struct csd_model_profile *p, struct csd_model_report *report,
                       const uint64_t bytes_moved[MODEL_RESOURCES], uint64_t controller_ps,
                       uint64_t host_ps) {
  uint64_t *active = report->active_pj;
  for (uint32_t i = 0; i < CSD_MODEL_COMPONENT_SLOTS; i++) {
    report->idle_pj[i] = model_energy(p->power_idle_mw[i], report->elapsed_ps);
  }
  for (size_t i = 0; i < sizeof by_use / sizeof by_use[0]; i++) {
    active[by_use[i].component] =
        model_energy(p->power_active_mw[by_use[i].component], report->busy_ps[by_use[i].resource]);
  }
  active[CSD_MODEL_COMPONENT_CORE] =
      at_clock(active[CSD_MODEL_COMPONENT_CORE], p->core_hz, p->core_power_hz);
  active[CSD_MODEL_COMPONENT_HOST_CORE] =
      at_clock(active[CSD_MODEL_COMPONENT_HOST_CORE], p->host_hz, p->host_power_hz);
  active[CSD_MODEL_COMPONENT_CONTROLLER] =
      model_energy(p->power_active_mw[CSD_MODEL_COMPONENT_CONTROLLER], controller_ps);
  active[CSD_MODEL_COMPONENT_HOST] =
      model_energy(p->power_active_mw[CSD_MODEL_COMPONENT_HOST], host_ps);
  const struct {
    uint32_t component;
    uint64_t count, pj;
  } by_count[] = {
      {CSD_MODEL_COMPONENT_LINK, bytes_moved[CSD_MODEL_RESOURCE_LINK], p->link_pj_per_byte},
      {CSD_MODEL_COMPONENT_DRAM, bytes_moved[CSD_MODEL_RESOURCE_DRAM_BUS], p->dram_pj_per_byte},
      {CSD_MODEL_COMPONENT_CHANNEL, bytes_moved[CSD_MODEL_RESOURCE_CHANNEL],
       p->channel_pj_per_byte},
      {CSD_MODEL_COMPONENT_HOST_DRAM, bytes_moved[CSD_MODEL_RESOURCE_HOST_DRAM],
       p->host_dram_pj_per_byte},
      {CSD_MODEL_COMPONENT_HOST, bytes_moved[CSD_MODEL_RESOURCE_LINK], p->host_read_pj_per_byte},
      {CSD_MODEL_COMPONENT_FLASH, report->flash_reads, p->flash_read_pj},
      {CSD_MODEL_COMPONENT_FLASH, report->flash_programs, p->flash_program_pj},
      {CSD_MODEL_COMPONENT_FLASH, report->flash_erases, p->flash_erase_pj},
  };
  for (size_t i = 0; i < sizeof by_count / sizeof by_count[0]; i++) {
    uint64_t *sum = &active[by_count[i].component];
    *sum = model_sum(*sum, model_product(by_count[i].count, by_count[i].pj));
  }
}

static void add_all(uint64_t *sum, const uint64_t *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    sum[i] = model_sum(sum[i], values[i]);
  }
}

/* Adds a report. The counts from page_loads to link_polls stand together in the wire's struct. */
static void add_report(struct csd_model_report *sum, const struct csd_model_report *report) {
  add_all(sum->part_ps, report->part_ps, CSD_MODEL_PART_SLOTS);
  add_all(sum->busy_ps, report->busy_ps, CSD_MODEL_RESOURCE_SLOTS);
  add_all(sum->work, report->work, CSD_MODEL_WORK_SLOTS);
  const size_t first = offsetof(struct csd_model_report, page_loads);
  const size_t end = offsetof(struct csd_model_report, trace_records);
  add_all((uint64_t *)(void *)((uint8_t *)sum + first),
          (const uint64_t *)(const void *)((const uint8_t *)report + first),
          (uint32_t)((end - first) / sizeof(uint64_t)));
  if (report->arrival_ps < sum->arrival_ps) {
    sum->arrival_ps = report->arrival_ps;
  }
  if (report->finish_ps > sum->finish_ps) {
    sum->finish_ps = report->finish_ps;
  }
}

static void add_units(const struct model_player *player, struct csd_model_report *report,
                      bool alone) {
  for (uint32_t i = 0; i < MODEL_RESOURCES; i++) {
    report->unit_count[i] = player->unit_count[i];
    for (uint32_t u = 0; alone && u < player->unit_count[i]; u++) {
      report->busiest_ps[i] = model_later(report->busiest_ps[i], player->units[i][u].busy);
    }
  }
}

static struct csd_model_report head(const struct csd_model_run *run) {
  return (struct csd_model_report){.magic = CSD_MODEL_REPORT_MAGIC,
                                   .version = CSD_WIRE_VERSION,
                                   .side = (uint8_t)run->side,
                                   .trace_records = run->trace != NULL ? run->trace->count : 0,
                                   .trace_lost = run->trace != NULL ? run->trace->lost : 0};
}

void csd_model_account_end(struct model_player *player) {
  const struct csd_model_run *run = player->run;
  struct csd_model_report total = head(run);
  uint64_t bytes_moved[MODEL_RESOURCES] = {0};
  total.arrival_ps = UINT64_MAX;
  for (uint32_t i = 0; i < run->count; i++) {
    struct model_request *r = &player->requests[i];
    const struct csd_model_report named = head(run);
    memcpy(&r->report, &named, offsetof(struct csd_model_report, arrival_ps));
    r->report.trace_records = named.trace_records;
    r->report.trace_lost = named.trace_lost;
    r->report.elapsed_ps = r->report.finish_ps - r->report.arrival_ps;
    add_units(player, &r->report, run->count == 1);
    add_energy(player->profile, &r->report, r->bytes_moved, r->controller_ps, r->host_ps);
    add_report(&total, &r->report);
    add_all(bytes_moved, r->bytes_moved, MODEL_RESOURCES);
    if (run->reports != NULL) {
      run->reports[i] = r->report;
    }
  }
  total.elapsed_ps = total.finish_ps - total.arrival_ps;
  add_units(player, &total, true);
  add_energy(player->profile, &total, bytes_moved, player->controller_ps, player->host_ps);
  if (run->total != NULL) {
    *run->total = total;
  }
  if (run->split_counts != NULL) {
    *run->split_counts = player->split_counts;
  }
}
