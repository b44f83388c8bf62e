/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The plan of each segment as a tree, and the pages of its lists. */
import { $, bytes, count, make, pages, table } from './dom.js';

const MAX_OPEN = 3;

const OCCUR = { MUST: 'must', SHOULD: 'should', FILTER: 'filter', MUST_NOT: 'must not' };

function facts(node) {
  const list = node.list;
  const range = node.range;
  const parts = [];
  if (list) {
    parts.push(`${count(list.doc_freq)} postings`);
    parts.push(list.inline ? 'inline in the plan' : `${pages(list.pages)}, ${bytes(list.bytes)}`);
  }
  if (range) {
    const many = range.ranges > 1 ? `${count(range.ranges)} ranges, ` : '';
    parts.push(`${many}${range.lo} to ${range.hi}`);
    parts.push(`${count(range.pages_in_range)} of ${pages(range.pages)} in range`);
  }
  if (node.min_should > 0) {
    parts.push(`at least ${node.min_should}`);
  }
  if (node.weight !== 0) {
    parts.push(`weight ${Number(node.weight.toPrecision(5))}`);
  }
  return parts.join(' · ');
}

function branch(segment, node, numbers) {
  const number = numbers.next++;
  const name = node.list?.term ?? node.range?.field ?? '';
  const item = make(
    'li',
    {},
    make('div', { class: 'node' },
      make('span', { class: 'occur' }, OCCUR[node.occur] ?? node.occur.toLowerCase()),
      make('code', { class: 'op' }, node.op),
      make('strong', {}, name),
      make('span', { class: 'facts' }, facts(node)),
      make('span', { class: 'cost', id: `cost-${segment}-${number}` })));
  if (node.children.length > 0) {
    item.append(make('ul', {}, ...node.children.map((child) => branch(segment, child, numbers))));
  }
  return item;
}

function leaf(segment, open) {
  const place = { DEVICE: 'device', HOST: 'stock', NOWHERE: 'nowhere' }[segment.place];
  const where = {
    DEVICE: `on the device: plan of ${bytes(segment.plan_bytes)}, lists of ${bytes(segment.list_bytes)}`,
    HOST: 'on stock Lucene' + (segment.refusal ? `: ${refusal(segment.refusal)}` : ''),
    NOWHERE: 'nowhere: no document can match',
  }[segment.place];
  const summary = [
    make('strong', {}, `Segment ${segment.ord}`),
    make('span', { class: 'place ' + place }, where),
    make('small', {}, `${count(segment.max_doc)} docs`),
  ];
  return segment.plan
    ? make('details', { class: 'leaf', open },
      make('summary', {}, ...summary),
      make('ul', { class: 'tree' }, branch(segment.ord, segment.plan, { next: 0 })))
    : make('p', { class: 'leaf' }, ...summary);
}

function refusal(why) {
  return [why.reason?.toLowerCase().replaceAll('_', ' '), why.detail].filter(Boolean).join(', ');
}

export function showPlan(plan) {
  const parts = [make('p', { class: 'facts' }, 'Rewritten: ', make('code', {}, plan.rewritten))];
  if (plan.refusal) {
    parts.push(make('p', {}, 'Stock Lucene answers the whole query: ' + refusal(plan.refusal)));
  }
  plan.leaves.forEach((segment, i) => parts.push(leaf(segment, i < MAX_OPEN)));
  $('plan').replaceChildren(...parts);
}

function cells(strip) {
  return make(
    'span',
    { class: 'strip', 'aria-hidden': 'true' },
    ...strip.read_cells.map((read, i) => {
      const used = strip.used_cells[i];
      const first = i * strip.pages_per_cell;
      const of = Math.min(strip.pages - first, strip.pages_per_cell);
      const state = used === of ? ' used' : used > 0 ? ' part' : read > 0 ? ' ahead' : '';
      return make('i', {
        class: 'cell' + state,
        title: of === 1
          ? `page ${first}: ${used ? 'taken up' : read ? 'read ahead in vain' : 'skipped'}`
          : `pages ${first} to ${first + of - 1}: ${used} taken up, ${read} read`,
      });
    }));
}

/** Shows the strips of a query, and beside each node of the plan what it read. */
export function showStrips(strips, work) {
  document.querySelectorAll('.cost').forEach((cost) => cost.replaceChildren());
  for (const strip of strips) {
    const cost = $(`cost-${strip.segment}-${strip.node}`);
    cost?.replaceChildren(
      `takes up ${count(strip.used)} of ${pages(strip.pages)}, ${bytes(strip.read * 4096)} read`);
  }
  $('strips').replaceChildren(
    strips.length === 0
      ? make('p', { class: 'hint' }, 'This query has no list in pages on the device.')
      : table(
        'Pages of each posting list and column',
        ['>segment', 'list', 'pages', '>taken up', '>in vain', '>skipped'],
        strips.map((strip) => [
          String(strip.segment),
          make('strong', {}, strip.name),
          cells(strip),
          count(strip.used),
          count(strip.read - strip.used),
          count(strip.pages - strip.read),
        ]),
        { class: 'strips' }));
  $('blocks').textContent = strips.length === 0 ? ''
    : `Of the posting blocks in the pages that it took up, the device decoded ${count(work.blocks_decoded)}`
      + ` and stepped over ${count(work.blocks_skipped)}. Short lists share pages.`;
}
