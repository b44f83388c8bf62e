/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Devices behind the NVMe driver of Linux: namespaces that take the wire's vendor commands, reached
 * by the driver's passthrough ioctl.
 *
 * <p>What is sent goes through {@link org.luceneoffload.nvme.port.CommandPort}; the one
 * implementation that talks to a kernel is {@link org.luceneoffload.nvme.port.LinuxPort}.
 */
package org.luceneoffload.nvme;
