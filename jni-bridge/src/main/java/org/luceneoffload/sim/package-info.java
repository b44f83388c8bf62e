/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The simulated device {@code sim}: the C device engine in this process, reached through JNI.
 *
 * <p>From JDK 24 on the JVM warns when a library uses native code; {@code
 * --enable-native-access=ALL-UNNAMED} on its command line says that this is wanted.
 */
package org.luceneoffload.sim;
