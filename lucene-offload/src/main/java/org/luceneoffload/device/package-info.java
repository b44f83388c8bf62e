/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Device interface: what a backend implements, and how backends are found by name.
 *
 * <p>A backend is a {@link org.luceneoffload.device.DeviceProvider} in {@code META-INF/services};
 * nothing above this package knows which one it talks to. What some devices can do beyond storing
 * blocks and running plans is a facet, an interface of its own that {@link
 * org.luceneoffload.device.Device#as} finds, in front of other devices too: {@link
 * org.luceneoffload.device.FilterDevice} hands calls of any facet on.
 *
 * @since 1.0.0
 */
package org.luceneoffload.device;
