/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Plans that a device runs window by window, and the host's half of them. */
package org.luceneoffload.device.task;
