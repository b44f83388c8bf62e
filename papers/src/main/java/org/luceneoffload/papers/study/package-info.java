/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What every paper's experiments come to: published figures next to modelled ones, statements,
 * tables and plots (PaperReport), and all of them with how to make them again (Report).
 */
package org.luceneoffload.papers.study;
