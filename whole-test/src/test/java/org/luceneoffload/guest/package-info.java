/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Programs that run in a guest with a real NVMe driver; see whole-test/nvme-guest. */
package org.luceneoffload.guest;
