/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The plugin's actions, as events of the JDK Flight Recorder. Without the module {@code jdk.jfr},
 * or without a recording, nothing of it costs or happens; docs/OBSERVING.md lists the events.
 */
package org.luceneoffload.events;
