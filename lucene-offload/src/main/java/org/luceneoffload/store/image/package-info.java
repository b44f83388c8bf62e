/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Posting images as files: stubs, inputs, outputs, and the files beside a segment. */
package org.luceneoffload.store.image;
