/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Drives the page of `offload explore` in headless Chromium: light and dark, desktop and phone, by
 * keyboard, with axe-core.
 *
 * usage: node explore.mjs URL [FOLDER]     FOLDER: where screenshots go
 */
import { join } from 'node:path';
import { VIEWS, check, checks, fits, open as openPage, violations, withBrowser } from './browser.mjs';

const [url, shots] = process.argv.slice(2);
const QUERY = process.env.EXPLORE_QUERY ?? 'w0 +w3';
const WORD = process.env.EXPLORE_WORD ?? 'w1';

/** Waits until the page has its answers: hits, facets and the modelled device. */
async function settled(page) {
  await page.waitForFunction(() => !document.getElementById('page').hasAttribute('aria-busy'));
}

async function ask(page, query) {
  await page.fill('#query', query);
  await page.press('#query', 'Escape');
  await page.press('#query', 'Enter');
  await page.waitForFunction((text) =>
    new URLSearchParams(location.hash.slice(1)).get('q') === text, query);
  await settled(page);
}

async function open(browser, view, errors) {
  const page = await openPage(browser, view, url, errors);
  await settled(page);
  return page;
}

async function look(page, view) {
  await ask(page, QUERY);
  check(await page.textContent('#badge strong'), 'Identical', view.name);
  check((await page.textContent('#status')).includes('identical'), true, 'live region');
  const rows = (side) => page.$$eval(`${side} tbody tr`, (all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)));
  check(await rows('#device'), await rows('#stock'), 'hits of both sides');
  check((await rows('#device')).length, 10, 'hits of a page');
  check((await page.$$('#plan .node')).length > 1, true, 'plan');
  check((await page.$$('#strips .cell')).length > 0, true, 'strips');
  await fits(page, view.name);
  if (shots) {
    await page.screenshot({ path: join(shots, view.name + '.png'), fullPage: true });
  }
}

/** Prints how long an answer takes, of a query that was asked before; a measurement needs more. */
async function firstAnswer(page) {
  await ask(page, '');
  const millis = await page.evaluate(async (query) => {
    const input = document.getElementById('query');
    const body = document.getElementById('device');
    input.value = query;
    const start = performance.now();
    const shown = new Promise((resolve) => {
      new MutationObserver(resolve).observe(body, { childList: true });
    });
    input.form.requestSubmit();
    await shown;
    return performance.now() - start;
  }, QUERY);
  await settled(page);
  console.log(`from Enter to the hits: ${Math.round(millis)} ms`);
}

/** A query, a completion, a filter and a page, without a mouse. */
async function byKeyboard(page) {
  await page.press('body', '/');
  check(await page.evaluate(() => document.activeElement.id), 'query', '"/" goes to the box');
  await page.fill('#query', '');
  await page.keyboard.type(WORD);
  await page.waitForSelector('#choices:not([hidden]) li');
  await page.keyboard.press('ArrowDown');
  check(await page.getAttribute('#query', 'aria-activedescendant'), 'choice-0');
  check(await violations(page), [], 'axe-core with the list open');
  const chosen = await page.textContent('#choice-0 span');
  await page.keyboard.press('Enter');
  check(await page.inputValue('#query'), chosen + ' ');
  await page.keyboard.press('Enter');
  await page.waitForFunction((text) =>
    new URLSearchParams(location.hash.slice(1)).get('q') === text, chosen);
  await settled(page);
  await page.focus('#pager button[aria-label="Next page"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('from=10'));
  await settled(page);
  check(await page.textContent('#device tbody td'), '11', 'second page');
  await page.goBack();
  await settled(page);
  check(await page.textContent('#device tbody td'), '1', 'back');
}

async function facetsAndSort(page) {
  await ask(page, QUERY);
  const before = await page.textContent('#status');
  await page.click('.buckets button');
  await page.waitForFunction(() => location.hash.includes('filter='));
  await settled(page);
  check(await page.getAttribute('.buckets button', 'aria-pressed'), 'true', 'filter set');
  check((await page.textContent('#status')) === before, false, 'filtered');
  check(await page.textContent('#badge strong'), 'Identical', 'filtered');
  await page.click('#filters button');
  await page.waitForFunction(() => !location.hash.includes('filter='));
  await settled(page);
  const order = await page.$eval('#sort option:last-child', (option) => option.value);
  await page.selectOption('#sort', order);
  await page.waitForFunction(() => location.hash.includes('sort='));
  await settled(page);
  check((await page.textContent('#badge')).includes('sort keys'), true, 'sorted');
  await page.selectOption('#sort', '');
  await settled(page);
}

async function badQuery(page, errors) {
  await page.fill('#query', 'a AND (');
  await page.press('#query', 'Escape');
  await page.press('#query', 'Enter');
  await page.waitForSelector('#problem:not(:empty)');
  check(await page.getAttribute('#query', 'aria-invalid'), 'true');
  check(await violations(page), [], 'axe-core with a message');
  // Chromium reports every answer 400 on its console.
  const told = errors.splice(0).filter((error) => !error.includes('status of 400'));
  check(told, []);
  await ask(page, QUERY);
  check(await page.textContent('#problem'), '', 'the message goes');
}

async function htmlInNames(page) {
  await ask(page, 'markup');
  check((await page.textContent('#device tbody')).includes('<img src=x onerror='), true);
  check(await page.evaluate(() => [document.querySelectorAll('main img, aside img').length,
    globalThis.markupRan === undefined]), [0, true], 'HTML of a title is text');
}

const errors = [];
await withBrowser(async (browser) => {
  for (const view of VIEWS) {
    const page = await open(browser, view, errors);
    await look(page, view);
    if (view.name === 'desktop-light') {
      await firstAnswer(page);
      await byKeyboard(page);
      await facetsAndSort(page);
      await badQuery(page, errors);
      await page.emulateMedia({ colorScheme: 'dark' });
      check(await violations(page), [], 'axe-core after light turned dark');
      if (!process.env.EXPLORE_QUERY) {
        await htmlInNames(page);
      }
    }
    await page.context().close();
  }
  check(errors, [], 'console');
  console.log(`explore in Chromium ${browser.version()}: ${checks} checks in ${VIEWS.length} views, no violation of axe-core`);
});
