/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.timing;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.util.FacetCall;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** A facet of sessions of a device that has a {@link TimingModel}: the plan that was run last. */
public interface ModelledPlan {
  /**
   * Returns the facet of a session.
   *
   * @throws OffloadException with status INVALID_OPCODE if it lacks it
   */
  static ModelledPlan of(DeviceSession session) throws OffloadException {
    ModelledPlan facet = session.as(ModelledPlan.class);
    if (facet == null) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_OPCODE, "the device models no time and energy");
    }
    return facet;
  }

  /**
   * Returns the report of the model about the plan that was run last; see {@link
   * TimingModel#startModel}.
   *
   * @param data what is wanted, of {@link OffloadWire.ModelData}
   * @return a model_report, any number of model_trace_record, or events, from byte 0 to the limit,
   *     little-endian; valid until the next call
   * @throws OffloadException if the plan was not modelled
   */
  @FacetCall("asking the model")
  ByteBuffer modelData(int data) throws IOException;
}
