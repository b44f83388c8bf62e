/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Opens reports of `offload reproduce` and `offload what-if` in headless Chromium, desktop and
 * phone, with axe-core: every plot is drawn, and the papers' points in it.
 *
 * usage: node reports.mjs FOLDER REPORT...     FOLDER: where screenshots go
 */
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VIEWS, check, checks, fits, open, withBrowser } from './browser.mjs';

const [shots, ...reports] = process.argv.slice(2);
const LIGHT = VIEWS.filter((view) => view.scheme === 'light'); // a report has no dark colours

/** What is wrong with a plot; how many points of the paper are inside it. */
function seen(figure) {
  const plot = JSON.parse(figure.querySelector('script').textContent);
  const chart = globalThis.Chart.getChart(figure.querySelector('canvas'));
  const { left, right, top, bottom } = chart.chartArea;
  const wrong = [];
  let published = 0;
  plot.series.forEach((series, i) => {
    const points = chart.getDatasetMeta(i).data.filter((_, at) => Number.isFinite(series.y[at]));
    const inside = points.filter((point) => point.x >= left - 1 && point.x <= right + 1
      && point.y >= top - 1 && point.y <= bottom + 1).length;
    if (points.length === 0 || inside !== points.length) {
      wrong.push(`${plot.title}: ${series.name}: ${inside} of ${points.length} points inside`);
    }
    published += series.published ? inside : 0;
  });
  const canvas = chart.canvas;
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  if (!pixels.some((value) => value < 128)) {
    wrong.push(`${plot.title}: blank`);
  }
  return { wrong, published };
}

async function look(page, view, file) {
  const plots = await page.$$eval('figure', (all, source) => {
    const one = new Function(`return ${source}`)();
    return all.map((figure) => one(figure));
  }, seen.toString());
  check(plots.flatMap((plot) => plot.wrong), [], `${file}, ${view.name}`);
  check(plots.length > 0, true, `${file}: no plot`);
  await fits(page, `${file}, ${view.name}`);
  const show = page.locator('figcaption button', { hasText: 'show the data' }).first();
  await show.click();
  check(await page.locator('.data').first().isVisible(), true, `${file}: the data of a plot`);
  await fits(page, `${file}, ${view.name}, with data`);
  const name = `${basename(dirname(resolve(file)))}-${view.name}.png`;
  await page.screenshot({ path: join(shots, name) });
  return plots.reduce((sum, plot) => sum + plot.published, 0);
}

const errors = [];
await withBrowser(async (browser) => {
  for (const file of reports) {
    for (const view of LIGHT) {
      const page = await open(browser, view, pathToFileURL(file).href, errors);
      const published = await look(page, view, file);
      if (view === LIGHT[0]) {
        console.log(`${file}: ${published} published points in its plots`);
      }
      await page.context().close();
    }
  }
  check(errors, [], 'console');
  console.log(`reports in Chromium ${browser.version()}: ${checks} checks of ${reports.length} reports in ${LIGHT.length} views, no violation of axe-core`);
});
