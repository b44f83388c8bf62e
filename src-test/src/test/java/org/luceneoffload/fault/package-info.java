/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Damage done from outside to an index on the simulated device, seen by an application. */
package org.luceneoffload.fault;
