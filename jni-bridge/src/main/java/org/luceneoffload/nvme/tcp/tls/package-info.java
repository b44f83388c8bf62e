/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * TLS to storage nodes. Nothing else names these classes until TLS is asked for, since they need
 * Bouncy Castle (bctls), which an application adds if it wants it.
 */
package org.luceneoffload.nvme.tcp.tls;
