/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The experiments of the first search-engine computational SSD (Matrix), the labs that run them on
 * the device model (ModelLab, ProductionLab), and what they measure (Outcomes).
 */
package org.luceneoffload.papers.lab;
