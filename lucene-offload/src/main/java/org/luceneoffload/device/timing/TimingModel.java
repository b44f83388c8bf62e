/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.timing;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.Device;
import org.luceneoffload.util.FacetCall;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A facet of devices that model what time and energy plans would take on another device, and on a
 * host that reads the same pages from it. Answers stay as they are.
 */
public interface TimingModel {
  /**
   * Returns the facet of a device.
   *
   * @throws OffloadException with status INVALID_OPCODE if the device lacks it
   */
  static TimingModel of(Device device) throws OffloadException {
    TimingModel facet = device.as(TimingModel.class);
    if (facet == null) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_OPCODE,
          "device " + device.name() + " models no time and energy");
    }
    return facet;
  }

  /**
   * Has every plan modelled from now on. Plans under way are not modelled, nor are those of
   * sessions that the model has no memory left for. What was written before is placed on the
   * modelled flash as if it had been written in order of its LBAs.
   *
   * @param profile the bytes of a model_profile of the wire, from position to limit, in a direct
   *     buffer; the other device
   * @param settings how
   * @param listener told of every plan
   * @throws OffloadException with status INVALID_ARGUMENT, naming the field, if the profile is
   *     refused; INVALID_FIELD if it is of another length or the trace is too long
   */
  @FacetCall("starting the model")
  void startModel(ByteBuffer profile, ModelSettings settings, ModelListener listener)
      throws IOException;

  /**
   * Returns what writing would have taken since {@link #startModel}, or since this was last asked
   * and then written again: the flash commands, those of the garbage collection too.
   *
   * @param side of {@link OffloadWire.ModelSide}
   * @return a model_report, little-endian
   * @throws OffloadException with status INVALID_FIELD if nothing was written or nothing is
   *     modelled
   */
  @FacetCall("asking the model")
  ByteBuffer modelWrites(int side) throws IOException;

  /** Ends {@link #startModel}; harmless if it was not called or the device is closed. */
  @FacetCall("ending the model")
  void stopModel() throws IOException;
}
