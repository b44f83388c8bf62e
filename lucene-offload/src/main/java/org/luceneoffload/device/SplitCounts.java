/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

/**
 * What became of the windows of a plan that device and host shared.
 *
 * @param windows that the plan was cut into; 0: it was not
 * @param onDevice done by the device
 * @param raw refused by the device, whose task queue was full, and done by the host
 * @param handedBack taken by the device, not begun when the host had done its own, and done by the
 *     host
 */
public record SplitCounts(int windows, int onDevice, int raw, int handedBack) {
  /** Of a plan that was not cut. */
  public static final SplitCounts NONE = new SplitCounts(0, 0, 0, 0);
}
