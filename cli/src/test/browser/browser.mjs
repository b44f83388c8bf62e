/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What tests of pages in headless Chromium share: views, checks, and a browser with axe-core. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const VIEWS = [
  { name: 'desktop-light', width: 1280, height: 900, scheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, scheme: 'dark' },
  { name: 'phone-light', width: 360, height: 740, scheme: 'light' },
  { name: 'phone-dark', width: 360, height: 740, scheme: 'dark' },
];

/** How many checks there were. */
export let checks = 0;

export function check(value, expected, what) {
  checks++;
  assert.deepEqual(value, expected, what);
}

/** Checks that a page is not wider than its window, and that axe-core finds nothing. */
export async function fits(page, name) {
  const sideways = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(sideways, 0, `${name}: the page scrolls sideways`);
  check(await violations(page), [], `${name}: axe-core`);
}

export async function violations(page) {
  const found = await page.evaluate(() => globalThis.axe.run());
  return found.violations.map((rule) =>
    `${rule.id}: ${rule.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Opens a page; what its console says, and what it asks of others, are errors. */
export async function open(browser, view, url, errors) {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.scheme,
    bypassCSP: false,
  });
  await context.addInitScript({ content: axe });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      errors.push(`${view.name}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => errors.push(`${view.name}: ${error}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) {
      errors.push(`${view.name}: asks ${request.url()}`);
    }
  });
  await page.goto(url);
  return page;
}

/** Runs Chromium. */
export async function withBrowser(use) {
  const profile = mkdtempSync(join(tmpdir(), 'offload-chromium-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    env: { ...process.env, HOME: profile },
  });
  try {
    await use(browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
