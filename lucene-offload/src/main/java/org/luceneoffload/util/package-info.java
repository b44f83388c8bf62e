/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Helpers that know nothing of devices, indexes or queries. */
package org.luceneoffload.util;
