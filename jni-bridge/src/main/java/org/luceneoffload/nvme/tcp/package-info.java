/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * An NVMe/TCP host of the project's own: storage nodes, {@code csd:HOST:PORT}, without a driver,
 * without root and without JNA.
 *
 * <p>{@link org.luceneoffload.nvme.tcp.TcpPort} is the way to a node's namespace; what is sent is
 * that of {@link org.luceneoffload.nvme}. It has an {@link org.luceneoffload.nvme.tcp.Association}
 * with a controller at a time, that has an admin {@link org.luceneoffload.nvme.tcp.CommandQueue}
 * and a pool of them for I/O, each over a connection of its own. Nothing that comes from the node
 * is trusted: whatever breaks a rule of the transport ends the connection.
 */
package org.luceneoffload.nvme.tcp;
