/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Sessions of a device, plans that run on them, and what follows from a failure. */
package org.luceneoffload.search.session;
