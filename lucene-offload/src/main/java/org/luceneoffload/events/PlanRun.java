/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import java.util.function.Supplier;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.plan.ResultReader;

/** A plan's run on a device, while it is watched. */
public interface PlanRun {
  /**
   * Ends the run with its result.
   *
   * @param images names of the posting images that the plan reads
   * @param mode of {@link org.luceneoffload.wire.OffloadWire.Mode}
   * @param planBytes bytes of the plan
   * @param split who did which part of it
   */
  void answered(
      Device device,
      Supplier<String> images,
      int mode,
      int planBytes,
      ResultReader page,
      SplitPlans.Counts split);

  /** Ends the run without a result. */
  void failed(Device device, Supplier<String> images, int mode, OffloadException failure);
}
