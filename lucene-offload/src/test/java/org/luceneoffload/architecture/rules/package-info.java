/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Rules about which package may use which, for the tests of each module. */
package org.luceneoffload.architecture.rules;
