/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The choices of an application: options of a directory, and who answers.
 *
 * @since 1.0.0
 */
package org.luceneoffload.config;
