/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The library in class loaders of applications that come and go. */
package org.luceneoffload.loaders;
