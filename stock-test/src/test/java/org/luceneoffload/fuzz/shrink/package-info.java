/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Looks for the smallest round that still fails. */
package org.luceneoffload.fuzz.shrink;
