/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Who a host is to a storage node, and the node to it: keys, and the messages that prove them. */
package org.luceneoffload.nvme.tcp.auth;
