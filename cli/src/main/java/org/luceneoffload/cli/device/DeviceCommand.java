/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.device;

import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;
import picocli.CommandLine.Command;

/** {@code offload device}. */
@Command(
    name = "device",
    header = "List the devices and what they can do.",
    description = "Lists the kinds of device, whether they work here, and what they can do.")
public final class DeviceCommand extends OffloadCommand {
  @Override
  protected int run() throws Exception {
    DeviceReport report = DeviceService.look();
    print(report, () -> report.backends().forEach(this::printText));
    return ExitCodes.OK;
  }

  private void printText(DeviceReport.Backend backend) {
    out().println(backend.name() + (backend.available() ? "  available" : "  not available"));
    TextTable table = new TextTable("  ", "", "");
    table.add("what", backend.description());
    if (backend.reason() != null) {
      table.add("why not", backend.reason());
    }
    if (backend.capabilities() != null) {
      addCapabilities(table, backend.capabilities());
      table.add(
          "profiles",
          backend.profiles().isEmpty() ? "none" : String.join(", ", backend.profiles()));
    }
    table.print(out());
    backend.found().forEach(this::printText);
  }

  private void printText(DeviceReport.Found found) {
    out().println("  " + found.name() + (found.usable() ? "  usable" : "  not usable"));
    TextTable table = new TextTable("    ", "", "");
    found.facts().forEach((what, text) -> table.add(what, text));
    if (found.reason() != null) {
      table.add("why not", found.reason());
    }
    if (found.capabilities() != null) {
      addCapabilities(table, found.capabilities());
    }
    table.print(out());
  }

  private static void addCapabilities(TextTable table, DeviceReport.Capabilities can) {
    table.add("model", can.model());
    table.add("kernels", can.kernels());
    table.add(
        "capacity", Figures.bytes(can.capacityBytes()) + (can.readOnly() ? ", read-only" : ""));
    table.add("LBA, posting page", can.lbaBytes() + " B, " + can.pageBytes() + " B");
    table.add("device DRAM", Figures.bytes(can.dramBytes()));
    table.add("largest transfer", Figures.bytes(can.maxTransferBytes()));
    table.add("largest plan", Figures.bytes(can.maxPlanBytes()));
    table.add("largest result page", Figures.bytes(can.maxResultBytes()));
    table.add("sessions", Figures.count(can.maxSessions()));
    table.add("modes", String.join(", ", can.modes()));
    table.add("operators", String.join(", ", can.operators()));
  }
}
