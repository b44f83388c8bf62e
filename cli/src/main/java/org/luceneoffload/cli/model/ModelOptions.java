/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import java.io.IOException;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import picocli.CommandLine.Option;

/** Which device is modelled beside the one that answers. */
public final class ModelOptions {
  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description =
          "Also tell the simulated time and energy on a modelled device and its host: "
              + "smart-ssd-sas, smart-ssd-sas-2013, cosmos-openssd, summarizer-board, "
              + "pcie5-csd, or a file that ends in .json.")
  private String name;

  /** Returns whether a device is to be modelled. */
  public boolean wanted() {
    return name != null;
  }

  /**
   * Returns the profile; null if none is wanted.
   *
   * @throws Failure naming what is wrong with it
   */
  public DeviceProfile profile() {
    return name == null ? null : ProfileNames.load(name);
  }

  /**
   * Has the directory's device model every plan from now on.
   *
   * @param profile the profile
   * @param traceRecords records of a trace; 0: no trace
   * @throws Failure if the device cannot model or refuses the profile
   */
  public static ModelMeter start(
      OffloadDirectory directory, DeviceProfile profile, int traceRecords) throws IOException {
    DeviceHandle handle = ImageDirectory.find(directory).handle();
    if (handle == null) {
      throw Failure.of("--profile needs a device: the index is open without one");
    }
    try {
      return ModelMeter.start(handle.device(), profile, traceRecords);
    } catch (OffloadException e) {
      String why =
          e.status() == OffloadWire.Status.INVALID_OPCODE
              ? "device " + handle.device().name() + " cannot model: "
              : "the device refuses profile " + profile.name() + ": ";
      throw Failure.of("--profile: " + why + e.getMessage(), e);
    }
  }
}
