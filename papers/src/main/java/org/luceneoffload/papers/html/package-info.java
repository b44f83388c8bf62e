/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The report in HTML, CSV and JSON. */
package org.luceneoffload.papers.html;
