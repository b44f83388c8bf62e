/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.nvme.NvmeDevice;

/** Opens storage nodes: {@code csd:HOST:PORT}, with options as in {@link CsdOptions}. */
public final class CsdDeviceProvider implements DeviceProvider {
  /** A folder that is nowhere: it tells storage nodes from files. */
  private static final Path NODES = Path.of("/csd");

  /** For {@link java.util.ServiceLoader}. */
  public CsdDeviceProvider() {}

  @Override
  public String scheme() {
    return "csd";
  }

  @Override
  public String description() {
    return "a storage node that runs csd-target, over TCP; " + CsdOptions.GRAMMAR;
  }

  @Override
  public String unavailableReason() {
    return null;
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    CsdOptions options = CsdOptions.parse(rest);
    return NvmeDevice.open("csd:" + rest, TcpPort.open(options), options.access());
  }

  @Override
  public boolean isReadOnly(String rest) {
    return CsdOptions.parse(rest).access().readOnly();
  }

  @Override
  public boolean needsName() {
    return true;
  }

  @Override
  public boolean holdsIndexes() {
    return true;
  }

  /** Returns a name for the node; there is no such file. */
  @Override
  public Path storeFile(String rest, Path home) {
    return NODES.resolve(CsdOptions.parse(rest).key());
  }
}
