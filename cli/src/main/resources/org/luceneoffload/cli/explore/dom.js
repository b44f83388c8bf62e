/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Makes elements. Text of others is text here, never HTML. */

export const $ = (id) => document.getElementById(id);

/** Makes an element: attributes by name (on...: listeners), children that are elements or texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'class') {
      element.className = value;
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Makes a table that scrolls sideways if it must. Columns are texts, with ">" before those of
 * numbers; cells are texts or elements.
 */
export function table(caption, columns, rows, attributes = {}) {
  const number = columns.map((column) => column.startsWith('>'));
  const cell = (content, i) =>
    make('td', { class: number[i] ? 'number' : null }, content ?? '');
  return make(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    make(
      'table',
      attributes,
      make('caption', {}, caption),
      make(
        'thead',
        {},
        make(
          'tr',
          {},
          ...columns.map((column, i) =>
            make(
              'th',
              { scope: 'col', class: number[i] ? 'number' : null },
              column.replace('>', ''))))),
      make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map(cell))))));
}

const counts = new Intl.NumberFormat('en');

export const count = (number) => counts.format(number);

export const pages = (number) => count(number) + (number === 1 ? ' page' : ' pages');

/** Returns a number of bytes with a binary unit. */
export function bytes(number) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = number;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit === 0 ? count(value) : value.toFixed(value < 10 ? 1 : 0)) + ' ' + units[unit];
}

function scaled(value, units, step) {
  let unit = 0;
  let scaledValue = value;
  while (Math.abs(scaledValue) >= step && unit < units.length - 1) {
    scaledValue /= step;
    unit++;
  }
  const digits = scaledValue >= 100 ? 0 : scaledValue >= 10 ? 1 : 2;
  return scaledValue.toFixed(unit === 0 ? 0 : digits) + ' ' + units[unit];
}

export const time = (picoseconds) => scaled(picoseconds, ['ps', 'ns', 'µs', 'ms', 's'], 1000);

export const micros = (value) => time(value * 1e6);

export const energy = (picojoules) => scaled(picojoules, ['pJ', 'nJ', 'µJ', 'mJ', 'J'], 1000);
