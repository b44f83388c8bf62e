/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.nvme.port.LibC;
import org.luceneoffload.nvme.port.LinuxPort;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Opens NVMe namespaces: {@code nvme:/dev/ng0n1}, with options as in {@link NvmeOptions}. */
public final class NvmeDeviceProvider implements DeviceProvider {
  /** For {@link java.util.ServiceLoader}. */
  public NvmeDeviceProvider() {}

  @Override
  public String scheme() {
    return "nvme";
  }

  @Override
  public String description() {
    return "a namespace behind the NVMe driver of Linux; " + NvmeOptions.GRAMMAR;
  }

  @Override
  public String unavailableReason() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "the NVMe driver's passthrough is that of Linux";
    }
    try {
      Class.forName("com.sun.jna.Native", false, NvmeDeviceProvider.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return "JNA (net.java.dev.jna:jna) is not on the class path";
    }
    try {
      LibC.get();
      return null;
    } catch (LinkageError e) {
      return "JNA cannot load its native part: " + e.getMessage();
    }
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    NvmeOptions options = NvmeOptions.parse(rest);
    String reason = unavailableReason();
    if (reason != null) {
      throw new OffloadException(OffloadWire.Status.INTERNAL, reason);
    }
    LinuxPort port = LinuxPort.open(options.path().toString(), !options.readOnly());
    return NvmeDevice.open("nvme:" + rest, port, options.access());
  }

  @Override
  public List<DeviceProvider.Found> find(Function<Device, String> contents) {
    return unavailableReason() == null
        ? NvmeNamespaces.find(NvmeNamespaces.devices(), contents)
        : List.of();
  }

  @Override
  public boolean isReadOnly(String rest) {
    return NvmeOptions.parse(rest).readOnly();
  }

  @Override
  public boolean needsName() {
    return true;
  }

  @Override
  public Path storeFile(String rest, Path home) {
    return NvmeOptions.parse(rest).path();
  }
}
