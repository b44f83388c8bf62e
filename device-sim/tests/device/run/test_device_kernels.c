/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Which kernels a device runs on: the option, then the environment, then the machine's best. */
#include <stdlib.h>

#include "core/kernels/kernels.h"
#include "csd/csd.h"
#include "device/run/device.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"

static const struct csd_kernels *list[CSD_MAX_KERNELS];
static unsigned list_count;

static void opens_with(const char *option, const char *variable, const char *expected) {
  if (variable != NULL) {
    setenv("CSD_KERNELS", variable, 1);
  } else {
    unsetenv("CSD_KERNELS");
  }
  const struct csd_device_options options = {.path = scratch_path("kernels"), .kernels = option};
  struct csd_device *device;
  REQUIRE_OK(csd_device_open(&options, &device));
  const struct csd_device_info info = csd_device_info_of(device);
  CHECK_MSG(strcmp((const char *)info.kernels, expected) == 0, "kernels %s, not %s",
            (const char *)info.kernels, expected);
  csd_device_close(device);
}

static void fails_with(const char *option, const char *variable, const char *trail) {
  setenv("CSD_KERNELS", variable, 1);
  const struct csd_device_options options = {.path = scratch_path("kernels"), .kernels = option};
  struct csd_device *device;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_device_open(&options, &device));
  CHECK_MSG(strstr(csd_last_error(), trail) != NULL, "trail: %s", csd_last_error());
}

static void the_best_without_a_word(void) {
  opens_with(NULL, NULL, list[0]->name);
  opens_with(NULL, "", list[0]->name);
}

static void any_by_option_or_environment(void) {
  for (unsigned i = 0; i < list_count; i++) {
    opens_with(NULL, list[i]->name, list[i]->name);
    opens_with(list[i]->name, NULL, list[i]->name);
    opens_with(list[i]->name, "scalar", list[i]->name);
  }
}

static void unknown_and_foreign_names_are_refused(void) {
  fails_with(NULL, "sse9", "CSD_KERNELS \"sse9\"");
  fails_with("sse9", "scalar", "option kernels \"sse9\"");
#if defined(__x86_64__)
  fails_with(NULL, "neon", "\"neon\"");
#else
  fails_with(NULL, "avx512", "\"avx512\"");
#endif
}

int main(void) {
  list_count = csd_kernels_list(list);
  RUN(the_best_without_a_word);
  RUN(any_by_option_or_environment);
  RUN(unknown_and_foreign_names_are_refused);
  return check_result();
}
