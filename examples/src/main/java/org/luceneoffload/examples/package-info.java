/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Small programs that use the library, a file and a purpose each. */
package org.luceneoffload.examples;
