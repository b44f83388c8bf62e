/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */

/** Shapes of queries as applications send them, made of the words of any index. */
package org.luceneoffload.workload.shape;
