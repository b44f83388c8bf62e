/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The command-line tool, one package for each family of commands. A command ({@code XyzCommand})
 * only reads its options, calls a service and prints the service's report: a record, which is also
 * what {@code --json} shows, field by field, in snake_case. Services throw {@code Failure} when the
 * user is to read it; {@code ErrorReport} alone makes a sentence and an exit code of an exception.
 * A command of another module, such as {@code reproduce}, is an {@code OffloadCommand} that its
 * {@code META-INF/services} names.
 */
package org.luceneoffload.cli;
