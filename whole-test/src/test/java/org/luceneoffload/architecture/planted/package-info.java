/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Classes that break the rules, to show that the rules find them. */
package org.luceneoffload.architecture.planted;
