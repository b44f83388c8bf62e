/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import org.luceneoffload.natives.NativeLibrary;

/** Loads the library of the device engine; {@link NativeLibrary} says from where. */
public final class NativeLoader {
  /** System property with the path of the native library. */
  public static final String LIBRARY_PROPERTY = "org.luceneoffload.library";

  static final NativeLibrary LIBRARY =
      new NativeLibrary(
          "luceneoffload",
          LIBRARY_PROPERTY,
          NativeLoader.class,
          NativeLoader::nativeWireVersion,
          NativeLoader::nativeVersion);

  private NativeLoader() {}

  /**
   * Loads the library unless it is loaded.
   *
   * @throws IllegalStateException if that fails, now or before; the message names what was sought
   */
  public static void load() {
    LIBRARY.load();
  }

  private static native int nativeWireVersion();

  private static native String nativeVersion();
}
