/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

/** A device that says that plans run on threads of its own. */
public final class ElsewhereDevice extends FilterDevice {
  /** A device in front of another. */
  public ElsewhereDevice(Device in) {
    super(in);
  }

  @Override
  public boolean plansRunElsewhere() {
    return true;
  }
}
