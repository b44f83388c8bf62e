/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Open devices: who shares one, whether it works, and a guard around calls that may hang. */
package org.luceneoffload.store.guard;
