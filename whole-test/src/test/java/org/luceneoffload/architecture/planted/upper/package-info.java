/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Half of a planted cycle. */
package org.luceneoffload.architecture.planted.upper;
