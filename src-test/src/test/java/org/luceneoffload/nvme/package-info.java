/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The NVMe backend over a controller made of another device, without a kernel. */
package org.luceneoffload.nvme;
