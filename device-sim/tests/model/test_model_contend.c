/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Requests that contend, and energy, calculated by hand. Times of the profile: model_world.c. */
#include <inttypes.h>

#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

#define US(us) (UINT64_C(1000000) * (us))

enum { MAX_LOGS = 4 };

struct scene {
  struct csd_model_profile profile;
  struct csd_model_log logs[MAX_LOGS];
  const struct csd_model_log *places[MAX_LOGS];
  uint64_t arrivals[MAX_LOGS];
  struct csd_model_report reports[MAX_LOGS];
  struct csd_model_report total;
};

static struct scene *fresh(void) {
  static struct scene scene;
  memset(&scene, 0, sizeof scene);
  scene.profile = model_profile();
  for (uint32_t i = 0; i < MAX_LOGS; i++) {
    scene.logs[i] = model_log();
    scene.logs[i].bare = true;
    scene.places[i] = &scene.logs[i];
  }
  return &scene;
}

static void play(struct scene *scene, uint32_t count, enum csd_model_side side) {
  const struct csd_model_run run = {.profile = &scene->profile,
                                    .side = side,
                                    .count = count,
                                    .logs = scene->places,
                                    .arrivals_ps = scene->arrivals,
                                    .reports = scene->reports,
                                    .total = &scene->total};
  REQUIRE_OK(csd_model_play(&run));
  for (uint32_t i = 0; i < count; i++) {
    model_check_report(&scene->profile, &scene->reports[i], true);
  }
  model_check_report(&scene->profile, &scene->total, count == 1);
}

static void end(struct scene *scene, uint32_t log, enum csd_model_work kind, uint64_t units) {
  model_event(&scene->logs[log], CSD_MODEL_END, 0, 0, model_work(kind, units));
}

static void done(struct scene *scene) {
  for (uint32_t i = 0; i < MAX_LOGS; i++) {
    csd_model_log_free(&scene->logs[i]);
  }
}

/* 1,000 compares are 40 us. The second comes at 10 us, waits for 30 and then 0.2 for the switch. */
static void two_requests_on_one_core(void) {
  struct scene *s = fresh();
  s->profile.core_count = 1;
  s->arrivals[1] = US(10);
  end(s, 0, CSD_MODEL_WORK_COMPARE, 1000);
  end(s, 1, CSD_MODEL_WORK_COMPARE, 1000);
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(US(40), s->reports[0].elapsed_ps);
  CHECK_EQ(US(30), s->reports[1].part_ps[CSD_MODEL_PART_QUEUE]);
  CHECK_EQ(200000, s->reports[1].part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(US(40), s->reports[1].part_ps[CSD_MODEL_PART_COMPUTE]);
  CHECK_EQ(US(80) + 200000, s->total.elapsed_ps);
  CHECK_EQ(US(80) + 200000, s->total.busiest_ps[CSD_MODEL_RESOURCE_CORE]);
  s->profile.core_count = 2; /* and on two */
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(US(40), s->reports[1].elapsed_ps);
  CHECK_EQ(US(80), s->total.busy_ps[CSD_MODEL_RESOURCE_CORE]);
  done(s);
}

/* Two requests, two cores, pages between their work: each comes back to its own core. */
static void a_core_of_its_own(void) {
  struct scene *s = fresh();
  s->profile.core_count = 2;
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t page = 0; page < 5; page++) {
      /* The second request's pages are smaller, so it comes back first. */
      model_event(&s->logs[i], CSD_MODEL_LOAD, 100 * i + 2 * page, i == 0 ? 8192 : 4096,
                  model_work(CSD_MODEL_WORK_COMPARE, 100));
    }
    end(s, i, CSD_MODEL_WORK_COMPARE, 100);
  }
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(0, s->total.part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(0, s->total.part_ps[CSD_MODEL_PART_QUEUE]);
  CHECK_EQ(US(24), s->total.busiest_ps[CSD_MODEL_RESOURCE_CORE]);
  done(s);
}

/* Slices of 20 us, in pieces of 10: first 20, second 20, first 20, second 20, switches between. */
static void a_core_that_is_sliced(void) {
  struct scene *s = fresh();
  s->profile.core_count = 1;
  s->profile.core_slice_ns = 20000;
  end(s, 0, CSD_MODEL_WORK_COMPARE, 1000);
  end(s, 1, CSD_MODEL_WORK_COMPARE, 1000);
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(US(60) + 2 * 200000, s->reports[0].elapsed_ps);
  CHECK_EQ(US(80) + 3 * 200000, s->reports[1].elapsed_ps);
  CHECK_EQ(200000, s->reports[0].part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(400000, s->reports[1].part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(US(40), s->reports[0].part_ps[CSD_MODEL_PART_COMPUTE]);
  done(s);
}

/* Pages of one plane: the second is sensed when the first has left the register. */
static void two_requests_at_one_plane(void) {
  struct scene *s = fresh();
  model_event(&s->logs[0], CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&s->logs[1], CSD_MODEL_LOAD, 4 * 2 * 2 * 2, 8192, NULL);
  end(s, 0, 0, 0);
  end(s, 1, 0, 0);
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(UINT64_C(72900000), s->reports[0].elapsed_ps);
  CHECK_EQ(UINT64_C(72900000) + 60780000, s->reports[1].elapsed_ps);
  CHECK_EQ(US(80), s->total.busiest_ps[CSD_MODEL_RESOURCE_PLANE]);
  CHECK_EQ(2, s->total.flash_reads);
  done(s);
  /* The same page twice: the second comes from the register, right behind the first. */
  s = fresh();
  for (uint32_t i = 0; i < 2; i++) {
    model_event(&s->logs[i], CSD_MODEL_LOAD, 0, 8192, NULL);
    end(s, i, 0, 0);
  }
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(UINT64_C(72900000) + 20480000, s->reports[1].elapsed_ps);
  CHECK_EQ(1, s->total.flash_reads);
  CHECK_EQ(1, s->total.register_reads);
  done(s);
}

/* Planes of one channel: the senses overlap, the transfers do not; the command of the second goes
 * out while the first senses. */
static void two_requests_at_one_channel(void) {
  struct scene *s = fresh();
  s->profile.flash_channels = 1;
  model_event(&s->logs[0], CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&s->logs[1], CSD_MODEL_LOAD, 2, 8192, NULL);
  end(s, 0, 0, 0);
  end(s, 1, 0, 0);
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(UINT64_C(72900000), s->reports[0].elapsed_ps);
  CHECK_EQ(UINT64_C(72900000) + 20480000, s->reports[1].elapsed_ps);
  done(s);
}

/* A queue of one: the host's second read starts when the first has completed. */
static void a_queue_of_one_command(void) {
  struct scene *s = fresh();
  s->profile.link_queue_depth = 1;
  model_event(&s->logs[0], CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&s->logs[1], CSD_MODEL_LOAD, 2, 8192, NULL);
  end(s, 0, 0, 0);
  end(s, 1, 0, 0);
  play(s, 2, CSD_MODEL_SIDE_HOST);
  const uint64_t command = US(25 + 10) + 72900000 + 16384000 + US(7);
  CHECK_EQ(US(15) + command + 409600, s->reports[0].elapsed_ps);
  CHECK_EQ(US(15) + 2 * command + 409600, s->reports[1].elapsed_ps);
  done(s);
  /* And a program is a command under way: the second is opened when the first is answered. */
  s = fresh();
  s->profile.link_queue_depth = 1;
  for (uint32_t i = 0; i < 2; i++) {
    s->logs[i].bare = false;
    end(s, i, CSD_MODEL_WORK_COMPARE, 1000);
  }
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  const uint64_t program = US(10 + 50 + 40 + 7);
  CHECK_EQ(program, s->reports[0].elapsed_ps);
  CHECK_EQ(program, s->reports[1].part_ps[CSD_MODEL_PART_QUEUE]);
  CHECK(s->reports[1].elapsed_ps >= 2 * program && s->reports[1].elapsed_ps <= 2 * program + US(1));
  done(s);
}

/* Two cores that stream at half the bus each: no waiting. At all of it each: twice the time. */
static void two_cores_on_one_bus(void) {
  for (int full = 0; full < 2; full++) {
    struct scene *s = fresh();
    s->profile.access_bytes[CSD_MODEL_WORK_DRAM_LINE] = 64; /* 40 ns of the bus */
    s->profile.access_ps[CSD_MODEL_WORK_DRAM_LINE] = full != 0 ? 40000 : 80000;
    s->profile.core_millicycles[CSD_MODEL_WORK_DRAM_LINE] = 0;
    end(s, 0, CSD_MODEL_WORK_DRAM_LINE, 10000);
    end(s, 1, CSD_MODEL_WORK_DRAM_LINE, 10000);
    play(s, 2, CSD_MODEL_SIDE_DEVICE);
    CHECK_EQ(US(800), s->total.busy_ps[CSD_MODEL_RESOURCE_DRAM_BUS]);
    /* But for one piece, by which the second is behind. */
    CHECK(s->total.elapsed_ps >= US(800) && s->total.elapsed_ps <= US(810));
    done(s);
  }
}

/* Requests that come at the same time are served in their order. */
static void ties_go_by_the_order_of_requests(void) {
  struct scene *s = fresh();
  s->profile.core_count = 1;
  for (uint32_t i = 0; i < MAX_LOGS; i++) {
    end(s, i, CSD_MODEL_WORK_COMPARE, 1000);
  }
  play(s, MAX_LOGS, CSD_MODEL_SIDE_DEVICE);
  for (uint32_t i = 0; i < MAX_LOGS; i++) {
    CHECK_EQ(i * (US(40) + 200000) + US(40), s->reports[i].elapsed_ps);
  }
  done(s);
}

/* A request ends with one page under way and two in line. These are never read; of the first, only
 * what was before the end is the request's. */
static void pages_ahead_of_the_end(void) {
  struct scene *s = fresh();
  s->profile.program_read_ahead = 1;
  for (uint32_t i = 0; i < 3; i++) {
    model_event(&s->logs[0], CSD_MODEL_READ_AHEAD, 2 * i, 8192, NULL);
  }
  end(s, 0, CSD_MODEL_WORK_COMPARE, 250); /* 10 us: 3 of the controller, 0.3 command, 6.7 tR */
  end(s, 1, CSD_MODEL_WORK_COMPARE, 100000);
  play(s, 2, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(US(10), s->reports[0].elapsed_ps);
  CHECK_EQ(US(3), s->reports[0].busy_ps[CSD_MODEL_RESOURCE_FIRMWARE]);
  CHECK_EQ(300000, s->reports[0].busy_ps[CSD_MODEL_RESOURCE_CHANNEL]);
  CHECK_EQ(US(10) - 3300000, s->reports[0].busy_ps[CSD_MODEL_RESOURCE_PLANE]);
  CHECK_EQ(0, s->reports[0].busy_ps[CSD_MODEL_RESOURCE_DRAM_BUS]);
  CHECK_EQ(1, s->total.flash_reads);
  CHECK_EQ(US(4000), s->total.elapsed_ps);
  done(s);
}

/* ---- energy ---- */

static uint64_t power(const struct csd_model_profile *p, uint32_t component, uint64_t ps) {
  return p->power_active_mw[component] * ps / 1000;
}

/* One page, 1,000 compares, 8 KB of results, 100 of them ranked: joules of each component. */
static void energy_by_hand(void) {
  struct scene *s = fresh();
  const struct csd_model_profile *p = &s->profile;
  s->logs[0].bare = false;
  model_event(&s->logs[0], CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&s->logs[0], CSD_MODEL_SEND, 0, 8192, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  model_event(&s->logs[0], CSD_MODEL_RANK, 0, 100, NULL);
  model_event(&s->logs[0], CSD_MODEL_END, 0, 0, NULL);
  play(s, 1, CSD_MODEL_SIDE_DEVICE);
  const struct csd_model_report *r = &s->reports[0];
  const uint64_t rank = US(17);
  const uint64_t device = US(10 + 50) + 72900000 + US(40 + 7 + 20) + 16384000;
  CHECK_EQ(device + rank, r->elapsed_ps);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_CONTROLLER, device),
           r->active_pj[CSD_MODEL_COMPONENT_CONTROLLER]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_HOST, rank), r->active_pj[CSD_MODEL_COMPONENT_HOST]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_HOST_CORE, rank),
           r->active_pj[CSD_MODEL_COMPONENT_HOST_CORE]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_CORE, US(50 + 40)), r->active_pj[CSD_MODEL_COMPONENT_CORE]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_LINK, 16384000) + 8192 * 50,
           r->active_pj[CSD_MODEL_COMPONENT_LINK]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_DRAM, 5120000) + 8192 * 40,
           r->active_pj[CSD_MODEL_COMPONENT_DRAM]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_CHANNEL, 20780000) + 8192 * 20,
           r->active_pj[CSD_MODEL_COMPONENT_CHANNEL]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_FLASH, US(40)) + 4000000,
           r->active_pj[CSD_MODEL_COMPONENT_FLASH]);
  CHECK_EQ(0, r->active_pj[CSD_MODEL_COMPONENT_HOST_DRAM]);
  /* On the host: it is active all the time, the controller while it reads. */
  play(s, 1, CSD_MODEL_SIDE_HOST);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_HOST, r->elapsed_ps),
           r->active_pj[CSD_MODEL_COMPONENT_HOST]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_CONTROLLER, r->part_ps[CSD_MODEL_PART_IO] - US(15)),
           r->active_pj[CSD_MODEL_COMPONENT_CONTROLLER]);
  CHECK_EQ(power(p, CSD_MODEL_COMPONENT_HOST_DRAM, 409600) + 8192 * 30,
           r->active_pj[CSD_MODEL_COMPONENT_HOST_DRAM]);
  CHECK_EQ(0, r->active_pj[CSD_MODEL_COMPONENT_CORE]);
  done(s);
}

static uint64_t core_energy(uint32_t side, uint64_t hz, uint64_t power_hz) {
  struct scene *s = fresh();
  const uint64_t own = side == CSD_MODEL_SIDE_HOST ? s->profile.host_hz : s->profile.core_hz;
  s->profile.core_power_hz = s->profile.host_power_hz = own * power_hz;
  s->profile.core_hz = s->profile.host_hz = own * hz;
  model_event(&s->logs[0], CSD_MODEL_END, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, 1000000));
  play(s, 1, side);
  const uint64_t pj =
      s->reports[0].active_pj[side == CSD_MODEL_SIDE_HOST ? CSD_MODEL_COMPONENT_HOST_CORE
                                                          : CSD_MODEL_COMPONENT_CORE];
  done(s);
  return pj;
}

static void check_about(uint64_t expected, uint64_t actual) {
  CHECK_MSG(actual + 4 >= expected && expected + 4 >= actual, "%" PRIu64 ", not %" PRIu64, actual,
            expected);
}

/* The same cycles at another clock: the time goes with 1/f, the power with f (0.6 + 0.4 f)^2. */
static void active_power_follows_the_clock(void) {
  for (uint32_t side = CSD_MODEL_SIDE_DEVICE; side <= CSD_MODEL_SIDE_HOST; side++) {
    const uint64_t as_before = core_energy(side, 1, 0);
    CHECK(as_before > 1000000);
    CHECK_EQ(as_before, core_energy(side, 1, 1));
    const uint64_t constant = core_energy(side, 2, 0);
    CHECK(constant < as_before);
    check_about(constant * 2 * 49 / 25, core_energy(side, 2, 1));  /* V is 1.4 of what it was */
    check_about(as_before / 2 * 16 / 25, core_energy(side, 1, 2)); /* 0.8 */
  }
}

/* What two requests share, the total has once: the controller is active while either runs. */
static void shared_energy_counts_once(void) {
  struct scene *s = fresh();
  s->arrivals[1] = US(10);
  s->arrivals[2] = US(1000);
  for (uint32_t i = 0; i < 3; i++) {
    end(s, i, CSD_MODEL_WORK_COMPARE, 1000);
  }
  play(s, 3, CSD_MODEL_SIDE_DEVICE);
  CHECK_EQ(US(1040), s->total.elapsed_ps);
  CHECK_EQ(power(&s->profile, CSD_MODEL_COMPONENT_CONTROLLER, US(50 + 40)),
           s->total.active_pj[CSD_MODEL_COMPONENT_CONTROLLER]);
  CHECK_EQ(power(&s->profile, CSD_MODEL_COMPONENT_CONTROLLER, US(40)),
           s->reports[1].active_pj[CSD_MODEL_COMPONENT_CONTROLLER]);
  CHECK_EQ(power(&s->profile, CSD_MODEL_COMPONENT_CORE, US(120)),
           s->total.active_pj[CSD_MODEL_COMPONENT_CORE]);
  done(s);
}

int main(void) {
  RUN(two_requests_on_one_core);
  RUN(a_core_of_its_own);
  RUN(a_core_that_is_sliced);
  RUN(two_requests_at_one_plane);
  RUN(two_requests_at_one_channel);
  RUN(a_queue_of_one_command);
  RUN(two_cores_on_one_bus);
  RUN(ties_go_by_the_order_of_requests);
  RUN(pages_ahead_of_the_end);
  RUN(energy_by_hand);
  RUN(active_power_follows_the_clock);
  RUN(shared_energy_counts_once);
  return check_result();
}
