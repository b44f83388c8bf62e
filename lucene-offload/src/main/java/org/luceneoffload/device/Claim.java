/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

/** The ways to treat a device that holds no volume of posting images. */
public enum Claim {
  /** Its store was made for a volume: an empty store gets one, any other is refused. */
  OWN_STORE,

  /** Nothing: it may hold another owner's data, and is refused. */
  NONE,

  /** It gets a volume if it is empty; its name says {@code claim=empty}. */
  EMPTY,

  /** It gets a volume, and what it holds is lost; its name says {@code claim=overwrite}. */
  OVERWRITE
}
