/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The command-line tool, one package for each family of commands. A command ({@code XyzCommand})
 * only reads its options, calls a service and prints the service's report: a record, which is also
 * what {@code --json} shows, field by field.
 */
package org.luceneoffload.cli;
