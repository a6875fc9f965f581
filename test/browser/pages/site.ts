import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { demoCatalog } from '../../../app/demo/catalog/catalog.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, noon } from '../../support/builders.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { findViolations, hasAxe, hasTightTargets, judgeContrast, looksOfTexts, scrollsUnreached } from '../in-axe.js';
import { focusedText, isFocusVisible, measure, watch } from './in-page.js';

export const screens = {
  phone: { width: 360, height: 780 },
  wide: { width: 1280, height: 900 },
} as const;

export type Screen = keyof typeof screens;

/** Where screenshots are kept, if a run is asked for them. */
export const screenshots = process.env['SCREENSHOTS'] ?? null;

/** In its short form, because to send the long one and to read it costs as much as to try a small page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page in a browser, and everything that it must not do. */
export interface Tab {
  readonly page: Page;
  /** Messages in the console, errors of scripts, violations of the policy, and requests to other hosts. */
  readonly complaints: string[];
}

/** Starts a service with the catalog of the demo, in memory. */
export async function startSite(options: ServiceOptions = {}): Promise<TestService> {
  const store = openMemoryStore(retentionFor(defaultTtl));
  await administrationOf(store.ports, nodePlatform).importListings(
    demoCatalog(noon, 'https://makers.example'),
    aCall(),
  );
  return TestService.start(store, options);
}

/** A server in front of a service, which sends each page in parts, and everything else as it is. */
export interface SlowSite extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that asks the service and sends the parts of its pages one after another. */
export async function startSlowSite(
  service: Pick<TestService, 'url'>,
  partsOf: (page: string) => AsyncIterable<string>,
): Promise<SlowSite> {
  const pass = async ({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`${service.url}${url}`, {
      headers: { Accept: headers.accept ?? '*/*', ...(headers.cookie !== undefined && { Cookie: headers.cookie }) },
    });
    const type = answer.headers.get('Content-Type') ?? '';
    const text = await answer.text();
    response.setHeader('Content-Type', type);
    await pipeline(type.startsWith('text/html') ? partsOf(text) : [text], response);
  };
  const proxy = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Sends the head of a page, and then each opening tag and each text in a frame of its own; a closing tag changes nothing. */
export async function* tagByTag(page: string): AsyncIterable<string> {
  const body = page.indexOf('<body');
  yield page.slice(0, body);
  for (const part of page.slice(body).split(/(?=<[a-z])|(?<=>)(?=[^\s<])/)) {
    yield part;
    await sleep(20);
  }
}

/**
 * Opens a tab of its own session. A session costs more than ten visits, so that what is visited with one setting shares a
 * tab; the site may become another one. Close its context when it is done. Colors fade only if that is asked for, because
 * axe reads them at once.
 */
export async function openTab(
  browser: Browser,
  site: Pick<TestService, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: screens.wide,
    reducedMotion: 'reduce',
    ...options,
  });
  // A busy machine needs longer than the half a minute that Playwright waits.
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium says so of a request whenever a container starts or stops, and repeats it.
    if (!message.text().includes('net::ERR_NETWORK_CHANGED')) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${site.url}/`) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
  });
  await page.addInitScript(watch);
  return { page, complaints };
}

/** Brings axe to each page that a tab visits, which for many of them takes less than to send it to each. */
export async function bringAxe({ page }: Tab): Promise<void> {
  await page.addInitScript({ content: axe });
}

/** A violation that axe finds. */
interface Violation {
  readonly id: string;
  readonly where: readonly string[];
}

/** The looks of texts that axe has found legible. */
const legible = new Set<string>();

/**
 * Holds a page against the rules of axe, the width of both screens and a layout that stays where it is. Rules are tried
 * where their outcome can differ: all of them in the tab as it is, that of contrast in dark colors too, and those of the
 * width on a phone too.
 */
export async function expectSound(tab: Tab, known: readonly string[] = []): Promise<void> {
  await expectStill(tab);
  await expectAccessible(tab, known);
  await onPhone(tab, async () => {
    await expectFits(tab);
    await expectReached(tab);
    await expectTargets(tab, known);
  });
}

/** Holds a page against the width of the screen, and a layout that stays where it is. */
export async function expectStill(tab: Tab): Promise<void> {
  const { page } = tab;
  const { layoutShifts } = await page.evaluate(measure);
  expect(layoutShifts, `the layout of ${page.url()}: ${JSON.stringify(layoutShifts)}`).to.deep.equal([]);
  await expectFits(tab);
}

/** Holds a page against the width of both screens, and a layout that stays where it is, where `expectSound` would find no more. */
export async function expectFitsScreens(tab: Tab): Promise<void> {
  await expectStill(tab);
  await onPhone(tab, () => expectFits(tab));
}

/** Looks at a page on a phone, and then gives the tab the size that it had. */
async function onPhone({ page }: Tab, look: () => Promise<void>): Promise<void> {
  const own = page.viewportSize() ?? screens.wide;
  await page.setViewportSize(screens.phone);
  await look();
  await page.setViewportSize(own);
}

/** Holds a page against the width of the screen. */
export async function expectFits({ page }: Tab): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(measure);
  expect(scrollWidth, `width of ${page.url()} at ${page.viewportSize()?.width} px`).to.be.at.most(clientWidth);
}

/** Holds a page against all rules of axe, and against that of contrast in dark colors too, where alone it can differ. */
export async function expectAccessible(tab: Tab, known: readonly string[] = []): Promise<void> {
  await expectNoViolation(tab, { known, without: ['color-contrast'] });
  await expectContrast(tab);
  await tab.page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(tab);
  await tab.page.emulateMedia({ colorScheme: 'light' });
}

/** Rules of axe: all of them but `without`, if none are named, and the violations that are known. */
interface Rules {
  readonly rules?: readonly string[];
  readonly without?: readonly string[];
  readonly known?: readonly string[];
}

/** Holds a page against rules of axe. */
export async function expectNoViolation({ page }: Tab, { rules, without = [], known = [] }: Rules = {}): Promise<void> {
  await prepareAxe(page);
  const found: readonly Violation[] = await page.evaluate(findViolations, { rules, without });
  expect(
    found.filter(({ id }) => !known.includes(id)),
    `axe on ${page.url()} at ${page.viewportSize()?.width} px`,
  ).to.deep.equal([]);
}

/** Holds each text to the rule of contrast, if one looks like none that was judged, because nothing else costs axe as much. */
export async function expectContrast({ page }: Tab): Promise<void> {
  if ((await page.evaluate(looksOfTexts)).every((look) => legible.has(look))) return;
  await prepareAxe(page);
  const { faint, looks } = await page.evaluate(judgeContrast);
  expect(faint, `the contrast on ${page.url()}`).to.deep.equal([]);
  for (const look of looks) legible.add(look);
}

/** Holds a page to the keyboard reaching all that scrolls at its width, of which axe is asked in doubt. */
export async function expectReached(tab: Tab): Promise<void> {
  if (await tab.page.evaluate(scrollsUnreached))
    await expectNoViolation(tab, { rules: ['scrollable-region-focusable'] });
}

/** Holds a page to targets that a finger hits at its width, of which axe is asked in doubt. */
export async function expectTargets(tab: Tab, known: readonly string[] = []): Promise<void> {
  if (await tab.page.evaluate(hasTightTargets)) await expectNoViolation(tab, { rules: ['target-size'], known });
}

async function prepareAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(hasAxe))) await page.evaluate(axe);
}

/** Keeps screenshots of what is seen, on both screens and in both color schemes, in a run that is asked for them. */
export async function keepScreenshot({ page }: Tab, name: string): Promise<void> {
  if (screenshots === null) return;
  await mkdir(screenshots, { recursive: true });
  const own = page.viewportSize() ?? screens.wide;
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screenshots, `${name}-${screen}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(own);
}

/** Presses the tab key until something has the focus; everything on the way must show that it has. */
export async function tabTo(tab: Tab, name: string): Promise<void> {
  for (let presses = 0; presses < 90; presses += 1) {
    await tab.page.keyboard.press('Tab');
    const isVisible = await tab.page.evaluate(isFocusVisible);
    const now = await tab.page.evaluate(focusedText);
    expect(isVisible, `the focus on ${now}`).to.equal(true);
    if (now === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
