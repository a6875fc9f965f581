import { expect } from 'chai';
import type { Tab } from './site.ts';

const square = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>';

/** The files of a host of images: pictures, and files that are none. Null breaks the connection. */
const files: Readonly<Record<string, { readonly contentType: string; readonly body: string } | null>> = {
  'square.svg': { contentType: 'image/svg+xml', body: square },
  'huge.svg': { contentType: 'image/svg+xml', body: square.replaceAll('"64"', '"60000"') },
  'script.svg': {
    contentType: 'image/svg+xml',
    body: square.replace('<rect', '<script>fetch("/asked")</script><image href="https://evil.example/1.png"/><rect'),
  },
  'page.png': { contentType: 'image/png', body: '<script src="https://evil.example/1.js"></script>' },
  'missing.png': null,
};

export const imageHost = 'cdn.example';

/** The address of each file. The first is a picture 64 pixels wide. */
export const imageUrls = Object.keys(files).map((name) => `https://${imageHost}/${name}`);

/** Answers as the host does. Returns the referrers of what it is asked. */
export async function serveImages({ page }: Tab): Promise<readonly (string | undefined)[]> {
  const referrers: (string | undefined)[] = [];
  await page.route(`https://${imageHost}/**`, async (route) => {
    referrers.push(route.request().headers()['referer']);
    const file = files[new URL(route.request().url()).pathname.slice(1)] ?? null;
    await (file === null ? route.abort() : route.fulfill(file));
  });
  return referrers;
}

/** Holds what a tab has asked other hosts for, whatever they sent, against these images alone. */
export function expectAsksFor({ complaints }: Tab, urls: readonly string[]): void {
  expect([...new Set(complaints.filter((text) => /^asks|img-src/.test(text)))]).to.have.members(
    urls.map((url) => `asks ${url}`),
  );
}
