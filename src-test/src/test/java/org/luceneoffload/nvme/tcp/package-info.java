/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Storage nodes: a target as a process of its own, and nodes that break the rules. */
package org.luceneoffload.nvme.tcp;
