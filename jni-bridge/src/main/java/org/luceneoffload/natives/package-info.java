/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Native code: loading it, its objects, and what its failures say. */
package org.luceneoffload.natives;
