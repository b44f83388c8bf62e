/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code --profile} and {@code --trace}: simulated time and energy beside the answers. */
package org.luceneoffload.cli.model;
