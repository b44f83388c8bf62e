/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;

/** Names of device profiles on the command line. */
public final class ProfileNames {
  private ProfileNames() {}

  /**
   * Reads a profile.
   *
   * @throws Failure of usage if the name is neither a profile's nor that of a file; else with what
   *     is wrong with the file
   */
  public static DeviceProfile load(String nameOrFile) {
    try {
      return Profiles.load(nameOrFile);
    } catch (IOException e) {
      String message = ErrorReport.sentence(e);
      throw Profiles.isOne(nameOrFile) ? Failure.of(message, e) : Failure.usage(message, e);
    }
  }
}
