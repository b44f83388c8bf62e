/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Terms of segments: where their lists are, and the hash files that find them. */
package org.luceneoffload.codec.term;
