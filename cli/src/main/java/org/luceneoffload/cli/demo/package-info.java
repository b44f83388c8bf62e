/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload demo}: the sample corpus, indexed and searched. */
package org.luceneoffload.cli.demo;
