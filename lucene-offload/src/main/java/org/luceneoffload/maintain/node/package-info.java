/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Indexes on a storage node: listed, made and deleted. */
package org.luceneoffload.maintain.node;
