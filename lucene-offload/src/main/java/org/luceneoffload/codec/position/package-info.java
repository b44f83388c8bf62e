/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Positions of posting lists as they are written into a posting image. */
package org.luceneoffload.codec.position;
