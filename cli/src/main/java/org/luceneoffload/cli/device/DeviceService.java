/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.device;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Operator;

/** Looks at every backend by opening a device of it in an empty folder. */
final class DeviceService {
  private DeviceService() {}

  /** Looks at all backends. */
  static DeviceReport look() throws IOException {
    List<DeviceReport.Backend> backends = new ArrayList<>();
    backends.add(
        new DeviceReport.Backend(
            Devices.HOST,
            "plain Lucene, the fallback of all others",
            true,
            null,
            null,
            List.of(),
            List.of()));
    for (DeviceProvider provider : Devices.providers()) {
      backends.add(look(provider));
    }
    return new DeviceReport(backends);
  }

  private static DeviceReport.Backend look(DeviceProvider provider) throws IOException {
    String reason = provider.unavailableReason();
    DeviceReport.Capabilities capabilities = null;
    List<String> profiles = List.of();
    List<DeviceProvider.Found> found = reason == null ? provider.find(Volume::describe) : List.of();
    if (reason == null && !provider.needsName()) {
      Path home = Files.createTempDirectory("offload-device");
      try (Device device = provider.open("", home)) {
        capabilities = capabilities(device.info());
        profiles = profiles(device);
      } catch (IOException | IllegalArgumentException e) {
        reason = e.getMessage() == null ? e.toString() : e.getMessage();
      } finally {
        delete(home);
      }
    }
    return new DeviceReport.Backend(
        provider.scheme(),
        provider.description(),
        reason == null,
        reason,
        capabilities,
        profiles,
        found.stream().map(DeviceService::found).toList());
  }

  private static DeviceReport.Found found(DeviceProvider.Found device) {
    return new DeviceReport.Found(
        device.name(),
        device.info() != null,
        device.reason(),
        device.facts(),
        device.info() == null ? null : capabilities(device.info()));
  }

  /** Returns the profiles that a device can model; none if it cannot model at all. */
  private static List<String> profiles(Device device) throws IOException {
    List<String> profiles = new ArrayList<>();
    for (String name : Profiles.names()) {
      try {
        TimingModel model = TimingModel.of(device);
        model.startModel(
            Profiles.load(name).wireBytes(), ModelSettings.DEFAULT, ModelListener.NONE);
        model.stopModel();
        profiles.add(name);
      } catch (OffloadException e) {
        if (e.status() != OffloadWire.Status.INVALID_OPCODE) {
          throw e;
        }
      }
    }
    return profiles;
  }

  private static DeviceReport.Capabilities capabilities(DeviceInfo info) {
    return new DeviceReport.Capabilities(
        info.model(),
        info.kernels(),
        info.lbaBytes(),
        info.pageBytes(),
        info.lbaCount() * info.lbaBytes(),
        info.dramBytes(),
        info.maxPlanBytes(),
        info.maxResultBytes(),
        info.maxTransferBytes(),
        info.maxSessions(),
        info.readOnly(),
        names(OffloadWire.Mode.class, info.modeBits()),
        operators(info));
  }

  private static List<String> operators(DeviceInfo info) {
    return Stream.of(Operator.values())
        .filter(info::knows)
        .map(operator -> operator.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** Returns the names of those constants of a generated class whose bits are set. */
  static List<String> names(Class<?> constants, int bits) {
    return Stream.of(constants.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == int.class)
        .filter(field -> (bits >>> value(field) & 1) != 0)
        .sorted(Comparator.comparingInt(DeviceService::value))
        .map(field -> field.getName().toLowerCase(Locale.ROOT))
        .toList();
  }

  private static int value(Field constant) {
    try {
      return constant.getInt(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // getFields gives public ones only
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
