/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceInfos;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.Operator;

/** A simulated device that is older than an operator. */
public final class OlderDevice extends FilterDevice {
  private final Operator lacking;

  /** Opens it over a new store in a folder. */
  public OlderDevice(Path home, Operator lacking) throws IOException {
    super(new SimDeviceProvider().openForWriting("store=older,capacity=64m", home));
    this.lacking = lacking;
  }

  @Override
  public DeviceInfo info() {
    return DeviceInfos.without(lacking, in.info());
  }
}
