/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The choices of an application: options of a directory, and who answers. */
package org.luceneoffload.config;
