import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { launchChromium } from '../browser/launch-chromium.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { sendForm } from '../support/web/page-client.ts';
import { auditedPages, type AuditedPage, type Category } from './pages.ts';

/** The minimum score of every category of every page. */
const minimum = 0.95;

/**
 * Audits of a page that falls short. Lighthouse loses the trace of a page now and then, and says to run it again; and of a
 * page that waited for another process, performance has the pause. A page that is slow is slow each time.
 */
const attempts = 3;

/** The output of the demo. */
interface Demo {
  readonly address: string;
  readonly adminAddress: string;
  readonly operatorKey: string;
  readonly buyerPath: string;
}

/** A link that was made. */
interface Made {
  readonly data: { readonly url: string };
}

/** The first page of the statements. */
interface Statements {
  readonly data: readonly { readonly id: string }[];
}

/** The report of Lighthouse about a page. */
interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<Record<Category, ScoredCategory>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}

interface ScoredCategory {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}

type Lighthouse = (url: string, flags: object) => Promise<{ readonly lhr: Report }>;

interface LighthouseModule {
  readonly default: Lighthouse;
  readonly defaultConfig: { readonly categories: Readonly<Record<string, Pick<ScoredCategory, 'auditRefs'>>> };
}

/** The audits that count in no score. Data that only they need is not gathered, which would take a fifth of the CPU. */
function uncounted({ defaultConfig }: LighthouseModule): readonly string[] {
  const all = Object.values(defaultConfig.categories).flatMap(({ auditRefs }) => auditRefs);
  const counted = new Set(all.filter(({ weight }) => weight > 0).map(({ id }) => id));
  return all.map(({ id }) => id).filter((id) => !counted.has(id));
}

/**
 * Audits one page as a phone sees it, in a tab without a cache in the browser of `port`. The network is simulated from what
 * was loaded, so that the score depends on the page and little on how busy the machine is.
 */
async function audit(
  lighthouse: LighthouseModule,
  port: number,
  url: string,
  { categories }: AuditedPage,
  Cookie: string | null,
) {
  const { lhr } = await lighthouse.default(url, {
    port,
    logLevel: 'silent',
    output: 'json',
    onlyCategories: categories,
    skipAudits: uncounted(lighthouse),
    throttlingMethod: 'simulate',
    // CPU time is not multiplied: it is that of a machine on which other tests run.
    throttling: { rttMs: 150, throughputKbps: 1638.4, cpuSlowdownMultiplier: 1 },
    ignoreStatusCode: true,
    // No audit of these reads it, and it takes as long as they do.
    disableFullPageScreenshot: true,
    ...(Cookie === null ? {} : { extraHeaders: { Cookie } }),
  });
  return lhr;
}

/** The paths of the own page of @cleo, for which another link is made, and of a statement of hers. */
async function pathsOfAffiliate({
  adminAddress,
  operatorKey,
}: Demo): Promise<{ readonly affiliatePath: string; readonly statementPath: string }> {
  const ask = async (path: string, method: string): Promise<unknown> => {
    const answer = await fetch(`${adminAddress}/admin/${path}`, {
      method,
      headers: { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const made = (await ask('affiliates/cleo/links', 'POST')) as Made;
  const { data } = (await ask('statements', 'GET')) as Statements;
  return {
    affiliatePath: new URL(made.data.url).pathname,
    statementPath: `/console/statements/${data[0]?.id ?? ''}`,
  };
}

/** The shortcomings of a page; empty if there are none. */
function shortcomings({ runtimeError, categories, audits }: Report): readonly string[] {
  if (runtimeError !== undefined) return [runtimeError.message];
  return Object.entries(categories)
    .filter(([, { score }]) => (score ?? 0) < minimum)
    .map(([name, { score, auditRefs }]) => {
      const lost = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9);
      return `${name} ${Math.round((score ?? 0) * 100)}: ${lost.map(({ id }) => audits[id]?.title ?? id).join('; ')}`;
    });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const lighthouse = (await import(pathToFileURL(process.env['LIGHTHOUSE'] ?? '').href)) as LighthouseModule;
const demo = startNode([programPath, 'demo', '--json', '--port', '0', '--log-level', 'error'], { env: process.env });
demo.stderr.resume();
// Lighthouse asks a page on after it was closed, and leaves the refusal to nobody.
process.on('unhandledRejection', () => undefined);
let [passed, failed] = [0, 0];
const port = await freePort();
const browser = await launchChromium(`--remote-debugging-port=${port}`);
try {
  const [line] = await once(createInterface({ input: demo.stdout }), 'line');
  const running: Demo = JSON.parse(String(line));
  const { address, adminAddress, operatorKey, buyerPath } = running;
  const { affiliatePath, statementPath } = await pathsOfAffiliate(running);
  const signedIn = await sendForm(
    `${adminAddress}/console/sign-in`,
    { key: operatorKey },
    { 'Sec-Fetch-Site': 'same-origin' },
  );
  const [cookie = ''] = (signedIn.headers['set-cookie'] ?? '').split(';');
  const signInPage: AuditedPage = {
    path: '/console/sign-in?next=/console/events',
    isOfConsole: true,
    categories: ['performance', 'accessibility', 'best-practices'],
  };
  const pages = [...auditedPages(buyerPath, affiliatePath, statementPath), signInPage];
  for (const page of pages) {
    const { path, isOfConsole, categories } = page;
    const url = `${isOfConsole ? adminAddress : address}${path}`;
    const session = isOfConsole && page !== signInPage ? cookie : null;
    let report = await audit(lighthouse, port, url, page, session);
    for (let more = attempts - 1; more > 0 && shortcomings(report).length > 0; more -= 1) {
      report = await audit(lighthouse, port, url, page, session);
    }
    const scores = categories.map((name) => `${name} ${Math.round((report.categories[name].score ?? 0) * 100)}`);
    const lost = shortcomings(report);
    if (lost.length > 0) failed += 1;
    else passed += 1;
    process.stdout.write([`${path}: ${scores.join(', ')}`, ...lost.map((text) => `  MISSING ${text}`), ''].join('\n'));
  }
} finally {
  demo.kill('SIGTERM');
  await browser.close();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
