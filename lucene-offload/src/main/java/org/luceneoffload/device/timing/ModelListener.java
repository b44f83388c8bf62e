/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.timing;

import java.io.IOException;

/**
 * Told of every plan that a device has run and modelled; see {@link TimingModel#startModel}.
 *
 * <p>Called on the thread that ran the plan, after the plan and before its result is used; plans of
 * several threads are told at the same time. An exception becomes that of the plan.
 */
@FunctionalInterface
public interface ModelListener {
  /** Keeps nothing: the caller that runs a plan asks its session. */
  ModelListener NONE = plan -> {};

  /**
   * Takes a plan that has been modelled.
   *
   * @param plan what the model says of it; valid until this returns
   */
  void modelled(ModelledPlan plan) throws IOException;
}
