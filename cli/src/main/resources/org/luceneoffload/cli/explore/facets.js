/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Values of all matches: a click on one sets a filter. */
import { $, count, make } from './dom.js';

function buckets(facet, toggle, isSet) {
  const most = Math.max(1, ...facet.answer.buckets.map((bucket) => bucket.count));
  return make(
    'ul',
    { class: 'buckets' },
    ...facet.answer.buckets.map((bucket, i) => {
      const filter = facet.filters[i];
      const shown = facet.type === 'date' ? 'from ' + bucket.name : facet.type === 'long' ? bucket.name.replace('..', ' – ') : bucket.name;
      return make(
        'li',
        {},
        make(
          'button',
          { type: 'button', 'aria-pressed': String(isSet(filter)), onclick: () => toggle(filter) },
          make('span', { class: 'name', title: shown }, shown),
          make('meter', { min: 0, max: most, value: bucket.count, 'aria-hidden': 'true' }),
          make('span', { class: 'number' }, count(bucket.count))));
    }));
}

function numbers(answer) {
  return make('p', { class: 'facts' },
    answer.values > 0
      ? `${answer.min} to ${answer.max}` + (answer.mean === undefined ? '' : `, mean ${Number(answer.mean.toPrecision(5))}`)
      : 'no value');
}

/** Shows facets; `toggle` takes a filter's query, `isSet` says whether one is set. */
export function showFacets(found, toggle, isSet) {
  $('facets-note').textContent = found.facets.length === 0
    ? 'This index has no typed fields.'
    : found.identical ? 'Of all matches, on the device; stock Lucene counts the same.'
      : 'Device and stock Lucene differ: ' + found.difference;
  $('facets').replaceChildren(
    ...found.facets.map((facet) =>
      make('section', { class: 'facet', 'aria-label': facet.field },
        make('h3', {}, facet.field, make('small', {}, facet.type)),
        facet.filters ? buckets(facet, toggle, isSet) : numbers(facet.answer),
        facet.answer.missing > 0
          ? make('p', { class: 'hint' }, `${count(facet.answer.missing)} matches without a value`)
          : null)));
}
