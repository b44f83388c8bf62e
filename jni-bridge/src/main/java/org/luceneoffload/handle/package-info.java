/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Handles of things outside the JVM: what must not be freed or closed under a call. */
package org.luceneoffload.handle;
