/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Output for people and for programs: tables, figures, progress lines, JSON. */
package org.luceneoffload.cli.output;
