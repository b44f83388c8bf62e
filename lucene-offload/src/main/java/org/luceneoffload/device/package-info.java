/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Device interface: what a backend implements, and how backends are found by name.
 *
 * <p>A backend is a {@link org.luceneoffload.device.DeviceProvider} in {@code META-INF/services};
 * nothing above this package knows which one it talks to.
 */
package org.luceneoffload.device;
