/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What every backend has to hold, with one short subclass for each. */
package org.luceneoffload.contract;
