/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A profile of this machine: its drive and its processor are measured, and cold queries are
 * predicted by the model and measured beside that.
 */
package org.luceneoffload.papers.drive;
