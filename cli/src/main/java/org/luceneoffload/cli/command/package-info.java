/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The parts of every command: common options, exit codes, messages, signals. */
package org.luceneoffload.cli.command;
