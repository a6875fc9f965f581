import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { demoCatalog } from '../../../app/demo/catalog.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, noon } from '../../support/builders.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { findViolations, focusedText, isFocusVisible, measure, watch } from './in-page.js';

export const screens = {
  phone: { width: 360, height: 780 },
  wide: { width: 1280, height: 900 },
} as const;

export type Screen = keyof typeof screens;
export type Colors = 'light' | 'dark';

/** Where the screenshots of a run are kept. */
const folder = process.env['SCREENSHOTS'] ?? join(import.meta.dirname, '../screenshots');

/** A page in a browser, and everything that it must not do. */
export interface Tab {
  readonly page: Page;
  /** Messages in the console, errors of scripts, violations of the policy, and requests to other hosts. */
  readonly complaints: string[];
}

/** Starts a service with the catalog of the demo, in memory. */
export async function startSite(options: ServiceOptions = {}): Promise<TestService> {
  const store = openMemoryStore(retentionFor(defaultTtl));
  await administrationOf(store.ports, nodePlatform).importListings(demoCatalog(noon), aCall());
  return TestService.start(store, options);
}

/** A server in front of a service, which sends each page in parts, and everything else as it is. */
export interface SlowSite extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that asks the service and sends the parts of its pages one after another. */
export async function startSlowSite(
  service: TestService,
  partsOf: (page: string) => AsyncIterable<string>,
): Promise<SlowSite> {
  const pass = async ({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`${service.url}${url}`, { headers: { Accept: headers.accept ?? '*/*' } });
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

/** Opens a tab of its own session. Close its context when it is done. */
export async function openTab(
  browser: Browser,
  { url: baseURL }: Pick<TestService, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ baseURL, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium says so of a request whenever a container starts or stops, and repeats it.
    if (!message.text().includes('net::ERR_NETWORK_CHANGED')) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${baseURL}/`) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
  });
  await page.addInitScript(watch);
  return { page, complaints };
}

/** What axe finds. */
interface Violation {
  readonly id: string;
  readonly where: readonly string[];
}

/** Holds a page against the rules of axe, the width of the screen and a layout that stays where it is. */
export async function expectSound({ page }: Tab, known: readonly string[] = []): Promise<void> {
  await page.evaluate(axe.source);
  const what = page.url();
  const found: readonly Violation[] = await page.evaluate(findViolations);
  expect(
    found.filter(({ id }) => !known.includes(id)),
    `axe on ${what}`,
  ).to.deep.equal([]);
  const { scrollWidth, clientWidth, layoutShifts } = await page.evaluate(measure);
  expect(scrollWidth, `width of ${what}`).to.be.at.most(clientWidth);
  expect(layoutShifts, `the layout of ${what}: ${JSON.stringify(layoutShifts)}`).to.deep.equal([]);
}

/** Keeps a screenshot of what is seen. */
export async function keepScreenshot({ page }: Tab, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
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
