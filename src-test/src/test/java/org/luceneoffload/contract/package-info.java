/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The promises that every backend has to keep, with one short subclass for each. */
package org.luceneoffload.contract;
