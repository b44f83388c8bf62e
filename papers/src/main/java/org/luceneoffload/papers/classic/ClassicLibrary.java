/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import org.luceneoffload.natives.NativeLibrary;

/** Loads the library of the classic programs; {@link NativeLibrary} says from where. */
final class ClassicLibrary {
  /** System property with the path of the native library. */
  static final String LIBRARY_PROPERTY = "org.luceneoffload.papers.classic.library";

  private static final NativeLibrary LIBRARY =
      new NativeLibrary(
          "luceneoffload_classic",
          LIBRARY_PROPERTY,
          ClassicLibrary.class,
          ClassicLibrary::nativeWireVersion,
          () -> ""); // it is built with its classes, and goes nowhere without them

  private ClassicLibrary() {}

  /**
   * Loads the library unless it is loaded.
   *
   * @throws IllegalStateException if that fails, now or before; the message names what was sought
   */
  static void load() {
    LIBRARY.load();
  }

  private static native int nativeWireVersion();
}
