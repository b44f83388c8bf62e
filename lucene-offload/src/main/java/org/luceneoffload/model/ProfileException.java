/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.io.IOException;

/** A profile that cannot be used; the message names the profile, the key, and what is wrong. */
public final class ProfileException extends IOException {
  private static final long serialVersionUID = 1L;

  ProfileException(String message) {
    super(message);
  }

  ProfileException(String message, Throwable cause) {
    super(message, cause);
  }
}
