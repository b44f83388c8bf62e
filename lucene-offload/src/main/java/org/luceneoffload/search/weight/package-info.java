/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Weights and scorers that stream what the device finds to any collector. */
package org.luceneoffload.search.weight;
