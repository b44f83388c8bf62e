/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Options that several commands share: which index, which device, which queries. */
package org.luceneoffload.cli.options;
