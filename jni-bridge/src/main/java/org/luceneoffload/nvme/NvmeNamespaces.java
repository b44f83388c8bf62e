/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Device.Claim;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.LinuxPort;
import org.luceneoffload.wire.OffloadException;

/** The namespaces that the kernel knows, and what each says of itself. Writes nothing anywhere. */
final class NvmeNamespaces {
  private NvmeNamespaces() {}

  /**
   * Looks at every namespace.
   *
   * @param devices the folder of device files
   * @param contents says what a device holds
   */
  static List<DeviceProvider.Found> find(Path devices, Function<Device, String> contents) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(devices, "ng[0-9]*n[0-9]*")) {
      found.forEach(files::add);
    } catch (IOException e) {
      return List.of(); // no such folder, no devices
    }
    Collections.sort(files);
    return files.stream().map(file -> look(file, contents)).toList();
  }

  private static DeviceProvider.Found look(Path file, Function<Device, String> contents) {
    String path = file.toString();
    Map<String, String> facts = new LinkedHashMap<>();
    try (LinuxPort port = LinuxPort.open(path, false)) {
      return look(port, NvmeOptions.parse(path + ",readonly=true").access(), facts, contents);
    } catch (OffloadException e) {
      return new DeviceProvider.Found("nvme:" + path, facts, null, e.getMessage());
    }
  }

  /** Looks at the namespace that a port leads to. */
  static DeviceProvider.Found look(
      CommandPort port, Access access, Map<String, String> facts, Function<Device, String> contents)
      throws OffloadException {
    String name = "nvme:" + port.name();
    int nsid = port.namespaceId();
    NvmeCommands commands = new NvmeCommands(port, nsid, access.opcodes(), access.timeoutMillis());
    NvmeProbe probe = NvmeProbe.examine(commands, nsid, access.force());
    IdentifyController controller = probe.controller();
    if (controller != null) {
      facts.put("controller", controller.model() + ", firmware " + controller.firmware());
      facts.put("serial number", controller.serial());
      if (!controller.subsystem().isEmpty()) {
        facts.put("subsystem", controller.subsystem());
      }
    }
    facts.put("namespace", Integer.toString(nsid));
    if (probe.namespace() != null) {
      facts.put(
          "size",
          String.format(
              Locale.ROOT,
              "%d LBAs of %d bytes",
              probe.namespace().lbaCount(),
              probe.namespace().lbaBytes()));
    }
    if (probe.refusal() != null) {
      return new DeviceProvider.Found(name, facts, null, probe.refusal().getMessage());
    }
    facts.put("commands", "the vendor's, as its effects log lists them");
    NvmeDevice device = new NvmeDevice(name, commands, probe, true, Claim.NONE);
    facts.put("holds", contents.apply(device));
    return new DeviceProvider.Found(name, facts, device.info(), null);
  }

  /** Returns where Linux has its device files. */
  static Path devices() {
    return Path.of("/dev");
  }
}
