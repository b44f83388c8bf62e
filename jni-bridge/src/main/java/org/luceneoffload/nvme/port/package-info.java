/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The way of commands to a controller: an interface, and the Linux driver behind it. */
package org.luceneoffload.nvme.port;
