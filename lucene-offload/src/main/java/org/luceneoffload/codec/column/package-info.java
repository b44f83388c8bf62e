/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Column images: the values of doc-values fields, on the device beside the posting lists. */
package org.luceneoffload.codec.column;
