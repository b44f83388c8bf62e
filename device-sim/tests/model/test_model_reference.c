/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Plain reads beside what a public SSD simulator gives: MQSim (Tavakkol et al., FAST 2018; commit
 * 7ec40e3) with the parameters of its ssdconfig.xml, but caching off and the mapping table ideal;
 * 20,000 reads of 8 KB, mean response time in microseconds as it prints it.
 *
 * MQSim keeps a whole chip for a command until its data are out, and on a channel lets data go
 * before commands. Under that policy both say the same; but it sends what waits for several dies
 * of a chip in one batch, which is why it is faster where many reads in order wait. By default a
 * die is kept here, and commands go first: then channels are busy nearly all the time.
 */
#include <math.h>

#include "csd/csd_model_classic.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

enum { READS = 20000, LBAS = 1 << 24, PAGE = 8192 };

static struct csd_model_profile mqsim(uint32_t policy) {
  struct csd_model_profile p = model_profile();
  p.link_bytes_per_s = 4000000000; /* 4 lanes of 1 GB/s */
  p.link_command_ns = p.link_completion_ns = 0;
  p.link_queue_depth = 65535;
  p.host_read_cpu_ns = p.host_read_wait_ns = 0;
  p.host_core_count = 1024;
  p.host_dram_bytes_per_s = p.dram_bytes_per_s = 100000000000000;
  p.firmware_read_ns = p.ecc_step_ns = 0;
  p.flash_channels = 8;
  p.flash_ways = 4;
  p.flash_dies = p.flash_planes = 2;
  p.flash_independent_planes = 0;
  p.flash_policy = policy;
  p.flash_plane_blocks = 2048;
  p.flash_block_pages = 256;
  p.flash_read_ns[0] = 75000;
  p.flash_command_ns = 100;
  p.channel_bytes_per_s = 333000000;
  return p;
}

/* Mean response time in microseconds, and bandwidth in MB/s. */
static double response(const struct csd_model_profile *profile, uint32_t depth, bool random,
                       double *bandwidth) {
  const struct csd_model_reads reads = {.count = READS,
                                        .bytes = PAGE,
                                        .depth = depth,
                                        .random = random,
                                        .lbas = random ? LBAS : 0,
                                        .seed = 5};
  struct csd_model_report total = {0};
  CHECK_OK(csd_model_play_reads(profile, CSD_MODEL_SIDE_HOST, &reads, &total, NULL));
  *bandwidth = (double)total.bytes_read / ((double)total.elapsed_ps / 1e6);
  return (double)model_parts(&total) / 1e6 / (double)READS;
}

static void beside_a_public_simulator(void) {
  static const struct {
    bool random;
    uint32_t depth;
    double public_us;
    double most; /* of the deviation */
  } rows[] = {
      {true, 1, 102, 0.02},     {true, 4, 110, 0.02},    {true, 16, 150, 0.02},
      {true, 64, 392, 0.02},    {true, 256, 1369, 0.02}, {false, 1, 102, 0.02},
      {false, 4, 109, 0.08},    {false, 16, 124, 0.02},  {false, 64, 346, 0.02},
      {false, 256, 1085, 0.30},
  };
  const struct csd_model_profile same =
      mqsim(CSD_MODEL_FLASH_POLICY_CHIP_ALONE | CSD_MODEL_FLASH_POLICY_TRANSFERS_FIRST);
  const struct csd_model_profile usual = mqsim(0);
  printf("  %-7s %6s %10s %10s %10s %10s %20s\n", "reads", "depth", "MQSim us", "here us",
         "deviation", "MB/s", "by default us, MB/s");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double bandwidth = 0, usual_bandwidth = 0;
    const double us = response(&same, rows[i].depth, rows[i].random, &bandwidth);
    const double usual_us = response(&usual, rows[i].depth, rows[i].random, &usual_bandwidth);
    const double deviation = us / rows[i].public_us - 1;
    printf("  %-7s %6u %10.0f %10.1f %+8.1f %% %10.0f %12.1f %7.0f\n",
           rows[i].random ? "random" : "ordered", rows[i].depth, rows[i].public_us, us,
           100 * deviation, bandwidth, usual_us, usual_bandwidth);
    CHECK(fabs(deviation) < rows[i].most);
    CHECK(usual_us < 1.02 * us);
  }
}

/* By hand: 0.1 us command, 75 us, 24.6 us on the channel, 2.05 us on the link. */
static void one_read_at_a_time_by_hand(void) {
  const struct csd_model_profile profile = mqsim(0);
  const double page = (double)PAGE, by_hand = 0.1 + 75 + page / 333 + page / 4000;
  double bandwidth = 0;
  CHECK(fabs(response(&profile, 1, true, &bandwidth) - by_hand) < 0.001);
  CHECK(fabs(bandwidth - page / by_hand) < 0.1);
}

/* What no scheduling can pass: the channels' bandwidth. */
static void deep_reads_fill_the_channels(void) {
  const struct csd_model_profile profile = mqsim(0);
  const double limit = 8 * 333.0;
  double reached = 0;
  response(&profile, 256, false, &reached);
  CHECK(reached < limit && reached > 0.97 * limit);
}

int main(void) {
  RUN(one_read_at_a_time_by_hand);
  RUN(deep_reads_fill_the_channels);
  RUN(beside_a_public_simulator);
  return check_result();
}
