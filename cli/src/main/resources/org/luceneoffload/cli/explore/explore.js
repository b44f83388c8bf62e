/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What is asked stands in the address behind "#", so that it can be kept, sent and gone back to. */
import { drawBytes, showModel } from './charts.js';
import { complete } from './completion.js';
import { $, count, make } from './dom.js';
import { showFacets } from './facets.js';
import { matches, showBadge, showPager, showSides, showWork } from './hits.js';
import { showPlan, showStrips } from './plan.js';

const PAGE = 10;
const DEFAULT_PROFILE = 'pcie5-csd';

let index = null;
let asked = { query: '', filters: [], sort: '', from: 0, profile: DEFAULT_PROFILE };
let latest = 0; // number of the search under way: answers to older ones are dropped
let shown = {}; // the latest answers, to be drawn again when light turns dark

async function get(path, parameters) {
  let response;
  try {
    response = await fetch('api/' + path + '?' + parameters);
  } catch {
    throw new Error('offload explore does not answer any more: was it ended?');
  }
  const answer = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(answer.error), { status: response.status });
  }
  return answer;
}

function parameters() {
  const all = new URLSearchParams({ q: asked.query, from: asked.from, size: PAGE });
  asked.filters.forEach((filter) => all.append('filter', filter));
  if (asked.sort) {
    all.set('sort', asked.sort);
  }
  return all;
}

function readAddress() {
  const all = new URLSearchParams(location.hash.slice(1));
  asked = {
    query: all.get('q') ?? '',
    filters: all.getAll('filter'),
    sort: all.get('sort') ?? '',
    from: Math.max(0, Number.parseInt(all.get('from') ?? '0', 10) || 0),
    profile: index.profiles.includes(all.get('profile')) ? all.get('profile') : DEFAULT_PROFILE,
  };
}

/** Asks with some parts changed; the first page, unless another one is said. */
function ask(changes) {
  asked = { ...asked, from: 0, ...changes };
  const all = parameters();
  all.delete('size');
  all.set('profile', asked.profile);
  if ('#' + all === location.hash) {
    search();
  } else {
    location.hash = all; // hashchange searches
  }
}

function say(error) {
  const query = error?.status === 400;
  $('problem').textContent = error ? error.message : '';
  $('query').setAttribute('aria-invalid', String(query));
}

function showAsked() {
  $('query').value = asked.query;
  $('sort').value = asked.sort;
  $('profile').value = asked.profile;
  $('filters').replaceChildren(
    ...asked.filters.map((filter) =>
      make('li', {},
        make('button',
          { type: 'button', 'aria-label': 'Remove the filter ' + filter, onclick: () => toggle(filter) },
          make('span', {}, filter), make('span', { 'aria-hidden': 'true' }, ' ✕')))));
}

function toggle(filter) {
  const set = asked.filters.includes(filter);
  ask({ filters: set ? asked.filters.filter((one) => one !== filter) : [...asked.filters, filter] });
}

/** First the hits; then, as they come, facets and the modelled device. */
async function search() {
  const number = ++latest;
  const all = parameters();
  showAsked();
  say(null);
  $('page').setAttribute('aria-busy', 'true');
  try {
    const hits = await get('search', all);
    if (number !== latest) {
      return;
    }
    shown = { hits };
    showHits(hits);
    await Promise.all([facets(number, all), model(number, all)]);
  } catch (error) {
    if (number === latest) {
      say(error);
      $('status').textContent = 'No answer.';
    }
  } finally {
    if (number === latest) {
      $('page').removeAttribute('aria-busy');
    }
  }
}

function showHits(hits) {
  const sorted = asked.sort !== '';
  const { identity } = hits;
  $('status').textContent = hits.notes.concat(
    `${matches(hits.host)}; device and stock Lucene `
      + (identity.identical ? 'are identical' : 'differ: ' + identity.difference)).join('. ') + '.';
  showBadge(identity, sorted);
  showSides(hits, index.device);
  showPager(hits, PAGE, (from) => ask({ from }));
  showWork(hits.device.work);
  drawBytes(hits.device.work);
  showPlan(hits.plan);
}

async function facets(number, all) {
  const found = await get('facets', all);
  if (number === latest) {
    showFacets(found, toggle, (filter) => asked.filters.includes(filter));
  }
}

async function model(number, all) {
  const wanted = new URLSearchParams(all);
  wanted.set('profile', asked.profile);
  const found = await get('model', wanted);
  if (number === latest) {
    shown.model = found;
    showModel(found);
    showStrips(found.strips, shown.hits.device.work);
  }
}

function showIndex() {
  $('about').textContent = `${index.index} · ${count(index.documents)} documents in `
    + `${count(index.segments)} ${index.segments === 1 ? 'segment' : 'segments'} · device ${index.device}`;
  $('fields').textContent = 'Fields: ' + index.fields.map((field) =>
    field.name + (field.type === 'text' ? '' : `:${field.type}`)).join(', ') + '.';
  $('sort').replaceChildren(
    make('option', { value: '' }, 'by score'),
    ...index.fields.filter((field) => field.sortable).flatMap(({ name }) => [
      make('option', { value: name + ':asc' }, `${name}, least first`),
      make('option', { value: name + ':desc' }, `${name}, greatest first`),
    ]));
  $('profile').replaceChildren(
    ...index.profiles.map((profile) => make('option', { value: profile }, profile)));
}

function listen() {
  const completion = complete($('query'), $('choices'), (query, caret) =>
    get('complete', new URLSearchParams({ q: query, caret })));
  $('search').addEventListener('submit', (event) => {
    event.preventDefault();
    completion.close();
    ask({ query: $('query').value.trim() });
  });
  $('sort').addEventListener('change', () => ask({ sort: $('sort').value }));
  $('profile').addEventListener('change', () =>
    ask({ profile: $('profile').value, from: asked.from }));
  addEventListener('hashchange', () => {
    readAddress();
    search();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, select, textarea');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      $('query').focus();
      $('query').select();
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (shown.hits) {
      drawBytes(shown.hits.device.work);
    }
    if (shown.model) {
      showModel(shown.model);
    }
  });
}

try {
  index = await get('index', '');
  showIndex();
  listen();
  readAddress();
  await search();
} catch (error) {
  say(error);
}
