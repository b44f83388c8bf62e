/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Hits of device and stock Lucene beside each other, and whether they are the same. */
import { $, bytes, count, make, micros, table } from './dom.js';

const PARTS = [
  ['docs', 'doc IDs'],
  ['order', 'order'],
  ['scores', 'score bits'],
  ['counts', 'counts'],
];

export function matches(answer) {
  const atLeast = answer.relation === 'EQUAL_TO' ? '' : 'at least ';
  return atLeast + count(answer.count) + (answer.count === 1 ? ' match' : ' matches');
}

export function showBadge(identity, sorted) {
  const parts = PARTS.map(([name, text]) => {
    const same = identity[name];
    const label = name === 'scores' && sorted ? 'sort keys' : text;
    const sign = same === undefined ? '–' : same ? '✓' : '✗';
    const said = same === undefined ? 'not compared, not both exact' : same ? 'same' : 'different';
    return make(
      'li',
      { class: same === false ? 'bad' : null },
      make('span', { 'aria-hidden': 'true' }, sign + ' '),
      label,
      make('span', { class: 'unseen' }, ': ' + said));
  });
  $('badge').replaceChildren(
    make('strong', { class: 'badge ' + (identity.identical ? 'good' : 'bad') },
      identity.identical ? 'Identical' : 'Different'),
    make('ul', { class: 'parts', 'aria-label': 'What was compared' }, ...parts),
    make('span', { class: 'hint' }, `of ${count(identity.hits)} hits`));
}

function side(element, name, note, answer, device) {
  const sorted = answer.hits.length > 0 && answer.hits[0].keys !== undefined;
  const rows = answer.hits.map((hit) => [
    count(hit.rank),
    make('span', { title: hit.id ?? null }, hit.title ?? hit.id ?? '(no title stored)'),
    String(hit.doc),
    sorted
      ? hit.keys.map((key) => key ?? '–').join(', ')
      : make('span', { title: 'bits ' + hit.score_bits }, hit.score.toFixed(4)),
  ]);
  element.replaceChildren(
    make('h3', {}, name, make('small', {}, note)),
    make('p', { class: 'facts' }, matches(answer), ' · ', micros(answer.micros), ' ',
      make('span', { class: 'kind measured' }, 'measured, one run')),
    rows.length === 0
      ? make('p', { class: 'hint' }, 'No document matches.')
      : table(
        `Hits of ${name}`,
        ['>#', 'document', '>doc ID', sorted ? 'sort keys' : '>score'],
        rows,
        { class: device ? 'hits device' : 'hits stock' }));
}

export function showSides(found, device) {
  side($('device'), 'Device', `${device}: ${found.place}`, found.device, true);
  side($('stock'), 'Stock Lucene', 'on this machine’s processor', found.host, false);
}

/** Shows the pager; `go` takes the number of hits before the page. */
export function showPager(found, size, go) {
  const page = Math.floor(found.from / size);
  const pages = Math.max(1, Math.ceil(found.hits / size));
  const button = (text, to, label) =>
    make(
      'button',
      {
        type: 'button',
        disabled: to < 0 || to >= pages || to === page,
        'aria-label': label,
        onclick: () => go(to * size),
      },
      text);
  $('pager').hidden = found.hits <= size && page === 0;
  $('pager').replaceChildren(
    button('«', 0, 'First page'),
    button('‹ Prev', page - 1, 'Previous page'),
    make('span', {}, `page ${count(page + 1)} of ${count(pages)}`),
    button('Next ›', page + 1, 'Next page'),
    button('»', pages - 1, 'Last page'));
}

export function showWork(work) {
  const link = work.bytes_to_device + work.bytes_from_device;
  const less = link > 0 && work.host_bytes > 0 ? work.host_bytes / link : 0;
  $('bytes-note').textContent =
    work.leaves_offloaded === 0
      ? 'The device answered no segment of this query.'
      : `${bytes(link)} crossed the link; a host would have read ${bytes(work.host_bytes)} of posting pages`
        + (less > 1 ? `, ${less < 10 ? less.toFixed(1) : count(Math.round(less))} times as much.` : '.');
  const ways = Object.keys(work.ways);
  const rows = [
    ['segments on the device', count(work.leaves_offloaded)],
    ['segments on the host', count(work.leaves_on_host + work.leaves_fallen_back)],
    ['pages read', count(work.pages_read)],
    ['pages skipped', count(work.pages_skipped)],
    ['posting blocks decoded', count(work.blocks_decoded)],
    ['posting blocks stepped over', count(work.blocks_skipped)],
    ['postings decoded', count(work.postings_decoded)],
    ['docs scored', count(work.docs_scored)],
  ];
  if (ways.length > 0) {
    rows.push(['found by', ways.join(', ')]);
  }
  Object.entries(work.reasons).forEach(([why, times]) => rows.push([why, `${count(times)} ×`]));
  $('work').replaceChildren(table('Work of the device for this query', ['what', '>how many'], rows));
}
