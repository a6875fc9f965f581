import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { html } from '../../../adapters/web/markup/html.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { demoProducts, type DemoProduct } from '../catalog/products.ts';
import { checkoutPage, pay, type Offer } from './checkout.ts';
import { listenOnLoopback } from './loopback.ts';
import { startMailbox } from './mailbox.ts';
import { mailIn, outboxPage } from './outbox.ts';
import { fileOf, outsidePage, redirectTo, styleSheet, type OutsideResponse } from './page.ts';
import { iconOf, pictureOf } from './pictures.ts';

/** The shop at the fake of Stripe. */
export interface DemoShop {
  readonly stripe: FakeStripe;
  readonly offers: readonly Offer[];
}

/** Where the service listens. */
export interface ServiceAddresses {
  readonly address: string;
  readonly merchantAddress: string;
}

/** Everybody whom the service meets in the demo: makers with their pages and pictures, a checkout, and a mail server. */
export interface Outside extends AsyncDisposable {
  readonly url: string;
  /** The host of the pictures, as `SITE_IMAGE_HOSTS` names it. */
  readonly host: string;
  readonly mailPort: number;
  /** Says where the service listens, for links that lead buyers and merchants to it. */
  readonly serviceIsAt: (addresses: ServiceAddresses) => void;
}

/** Starts it, on free ports of loopback. Without a shop nothing can be bought. */
export async function startOutside(shop: DemoShop | null): Promise<Outside> {
  const mailbox = await startMailbox();
  let service: ServiceAddresses = { address: '', merchantAddress: '' };
  const server = createServer((request, response) => {
    void answerTo(request, { shop, mails: mailbox.mails, service }).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    );
  });
  const listening = await listenOnLoopback(server);
  const host = `127.0.0.1:${listening.port}`;
  return {
    url: `http://${host}`,
    host,
    mailPort: mailbox.port,
    serviceIsAt: (addresses) => {
      service = addresses;
    },
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
    },
  };
}

interface Surroundings {
  readonly shop: DemoShop | null;
  readonly mails: Parameters<typeof outboxPage>[0];
  readonly service: ServiceAddresses;
}

const products: ReadonlyMap<string, DemoProduct> = new Map(demoProducts.map((product) => [product.slug, product]));

/** The stand-ins for the pages that a product links to, by the first part of their path. */
const standIns: Readonly<Record<string, (name: string) => readonly [title: string, says: string]>> = {
  buy: (name) => [`Buy ${name}`, 'To buy it, stop the demo, install the package stripe, and start it again.'],
  account: (name) => [
    `Your account at ${name}`,
    'Here buyers change their card, and cancel: the customer portal of Stripe.',
  ],
  download: (name) => [`Download ${name}`, 'Here buyers download the app, and paste the license key into it.'],
  help: (name) => [`Help with ${name}`, 'Here the seller answers questions.'],
  join: (name) => [`Join the program of ${name}`, 'Here affiliates sign up with the maker.'],
};

async function answerTo(request: IncomingMessage, around: Surroundings): Promise<OutsideResponse> {
  const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [, part = '', name = '', ...rest] = pathname.split('/');
  const product = products.get(name.replace(/\.svg$/, ''));
  const offers = around.shop?.offers.filter(({ slug }) => slug === product?.slug) ?? [];
  if (part === 'outbox') return name === '' ? outboxPage(around.mails) : (mailIn(around.mails, name) ?? notFound);
  if (part === 'style.css') return styleSheet;
  // In place of the proxy with the host name of merchants.
  if (part === 'merchants')
    return redirectTo(`${around.service.merchantAddress}/${[name, ...rest].join('/')}${search}`);
  if (part === 'makers')
    return outsidePage(decodeURIComponent(name), html`<p>This page stands in for the maker’s own.</p>`);
  if (product === undefined) return notFound;
  if (part === 'pictures') return fileOf('image/svg+xml', pictureOf(product.slug, product.category));
  if (part === 'icons') return fileOf('image/svg+xml', iconOf(product.slug));
  if (part === 'products') return productPage(product, offers.length > 0);
  if (part === 'buy' && around.shop !== null && offers.length > 0) {
    if (request.method !== 'POST') return checkoutPage(offers, searchParams);
    return pay(around.shop.stripe, offers, new URLSearchParams(await text(request)), around.service.address);
  }
  const standIn = standIns[part];
  if (standIn === undefined) return notFound;
  const [title, says] = standIn(product.name);
  return outsidePage(title, html`<p>This page stands in for the seller’s own. ${says}</p>`);
}

const notFound = outsidePage('Not found', html`<p>There is no such page.</p>`, 404);

function productPage({ slug, name, blurb }: DemoProduct, isSold: boolean): OutsideResponse {
  return outsidePage(
    name,
    html`<p>${blurb}.</p>
      <p><img src="/pictures/${slug}.svg" alt="" width="1200" height="630" /></p>
      ${isSold ? html`<p><a href="/buy/${slug}">Buy ${name}</a></p>` : null}
      <p class="note">This page stands in for the maker’s own.</p>`,
  );
}
