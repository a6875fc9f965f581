import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogRefresher } from '../../adapters/catalog-index/catalog-refresher.ts';
import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { Ready } from '../../adapters/http/operations/service-operations.ts';
import { connectionTimeout } from '../../adapters/http/server/listen.ts';
import { portAdvice } from '../../adapters/mail/smtp-ports.ts';
import { deadlineIn, type Call } from '../../core/call.ts';
import type { Store } from '../../core/store/store.port.ts';
import { loadAskedMails, type AskForMails } from '../receivers/ask-for-keys.ts';
import { noPublicUrl, sendsMail } from '../service/mail.ts';
import { newCall } from '../service/process.ts';
import { tokens } from '../service/tokens.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';
import { BaseUrl, createRateLimiter, type HttpPortParts, type PortLimits } from './http-port.ts';
import { createPublicPort } from './public-port.ts';
import { watchDescriptors } from './repeated-task.ts';
import { aborted, Readiness, type Service } from './serving-process.ts';

/** All settings, and limits that only tests change. */
export type ServerSettings = Settings & Pick<PortLimits, 'answers' | 'requestsPerConnection' | 'bodies'>;

/** The parts that the processes of a server share. */
export interface SharedParts {
  readonly ready: Ready;
  readonly limitCounts: LimitCounts;
  /** Asks the primary to mail. */
  readonly askForMails: AskForMails;
}

export interface ServerParts extends HttpPortParts, Service {
  readonly store: Store;
  /** Given to one of several processes of a server. */
  readonly shared?: SharedParts;
  /** Called before the catalog is loaded; the function that it returns, after that or when the server cannot start. */
  readonly holdMemory?: () => () => void;
  /** Whether the server listens only once the catalog is loaded. Otherwise requests of the catalog wait for it. */
  readonly loadsFirst?: boolean;
}

export const noKeys = 'the signing keys could not be read or made: receipts are refused until they are';

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Null without an admin port. */
  readonly adminUrl: string | null;
  /** Null without a port of merchants. */
  readonly merchantUrl: string | null;
  /** Whether this process takes requests. */
  readonly ready: Ready;
  /** Resolves once the catalog was loaded, or could not be: it is tried again then. */
  readonly loaded: Promise<void>;
  /**
   * Answers 503 on `/readyz` for as long as the shutdown notice, then waits for requests in flight, at most `timeout`
   * milliseconds, and closes every connection.
   */
  stop(timeout: number): Promise<void>;
  /** Lets the process end although the server runs. */
  unref(): void;
  /**
   * Leaves new connections to the other processes of the server, and stops once its own have closed: each after its next
   * response, or when it has been idle for the keep-alive timeout. Closes what is left `timeout` milliseconds later.
   */
  retire(timeout: number): Promise<void>;
}

/**
 * Makes the signing keys of a store that has none, listens, and loads the catalog, for which its requests wait. Throws
 * `UnusableAddress`, or the reason of `stopping` if that is aborted before the server listens; nothing is left running then.
 */
export async function startServer(
  parts: ServerParts,
  settings: ServerSettings,
  stopping: AbortSignal = new AbortController().signal,
): Promise<RunningServer> {
  const { host, port, adminPort: adminPortNumber, shutdownNotice } = settings;
  const { container, store, log, metrics, shared = null } = parts;
  const index = container.get(tokens.catalogIndex);
  const catalog = createRefresher(parts);
  const readiness = new Readiness(store, async (call) => {
    await index.loaded(call);
    return index.age() < Infinity;
  });
  const rateLimiter = await createRateLimiter(log, settings, shared?.limitCounts);
  // A claim asks the shop's account at Stripe, and pages are asked for keys and links, so both are limited in any case.
  const unlimited = { ...settings, rateLimits: {} };
  const claimLimiter =
    settings.stripeApiKey === null && !hasBuyerPages(settings) && settings.pages !== 'on' && settings.receipts === 'off'
      ? null
      : (rateLimiter ?? (await createRateLimiter(log, unlimited, shared?.limitCounts)));
  const baseUrl = new BaseUrl(settings.publicUrl);
  if (sendsMail(settings) && settings.publicUrl === null) log.warn(noPublicUrl);
  const advice = settings.smtpUrl === null ? null : portAdvice(settings.smtpUrl);
  if (advice !== null) log.warn(advice);
  const newAskedMails = shared === null ? await loadAskedMails(settings) : null;
  const asked = newAskedMails?.(parts, settings, () => baseUrl.value) ?? null;
  const askForMails = shared?.askForMails ?? { keys: asked?.keys?.ask ?? null, links: asked?.links?.ask ?? null };
  const ready = shared?.ready ?? readiness.check;
  const limiters = { rateLimiter, claimLimiter };
  const publicPort = await createPublicPort(parts, settings, baseUrl, ready, limiters, askForMails);
  const adminPorts =
    metrics === null || adminPortNumber === null
      ? null
      : await (
          await import('./admin-port.ts')
        ).createAdminPorts(parts, settings, {
          baseUrl,
          ready: readiness.check,
          metrics,
          askAtDesk: asked?.keys?.askAtDesk ?? null,
        });
  const descriptors = watchDescriptors(log);
  const close = async (timeout: number): Promise<void> => {
    const deadline = deadlineIn(timeout, () => performance.now());
    await descriptors.stop();
    await publicPort.close(timeout);
    asked?.keys?.stop();
    asked?.links?.stop();
    await catalog.stop(Math.max(0, deadline.remaining()));
    // Last, so that the metrics of a stopping server can be read.
    await adminPorts?.close(Math.max(0, deadline.remaining()));
    if (adminPorts !== null) metrics?.close();
  };
  const release = parts.holdMemory?.();
  try {
    const load = (): Promise<void> => catalog.start().finally(release);
    const loadedFirst = parts.loadsFirst === true ? load() : null;
    await Promise.race([Promise.all([loadedFirst, makeKeys(parts, settings, stopping)]), aborted(stopping)]);
    stopping.throwIfAborted();
    const url = await publicPort.listen(host, port);
    const loaded = loadedFirst ?? load();
    const { admin: adminUrl = null, merchants: merchantUrl = null } = (await adminPorts?.listen(settings)) ?? {};
    const stop = async (timeout: number): Promise<void> => {
      readiness.stop();
      publicPort.drain();
      adminPorts?.drain();
      await sleep(shutdownNotice);
      await close(timeout);
    };
    const retire = async (timeout: number): Promise<void> => {
      await Promise.race([publicPort.leave(), sleep(connectionTimeout(settings) + timeout, undefined, { ref: false })]);
      await close(timeout);
    };
    const unref = (): void => {
      publicPort.unref();
      adminPorts?.unref();
    };
    return { url, adminUrl, merchantUrl, ready: readiness.check, loaded, stop, unref, retire };
  } catch (error) {
    release?.();
    await close(0);
    throw error;
  }
}

function createRefresher({ container, clock, log }: ServerParts): CatalogRefresher {
  const begin = (milliseconds: number): Call => newCall(clock(), milliseconds, 'clock');
  return new CatalogRefresher(container.get(tokens.catalogIndex), begin, (err) =>
    log.error({ err }, 'the catalog could not be refreshed'),
  );
}

/** Without signing keys receipts are refused, and everything else goes on. */
async function makeKeys(
  { container, clock, log }: ServerParts,
  { receipts, storeDeadline }: ServerSettings,
  stopping: AbortSignal,
): Promise<void> {
  if (receipts === 'off') return;
  try {
    await container.get(tokens.makeSigningKeys)(newCall(clock(), storeDeadline, 'clock'));
  } catch (err) {
    // A server that is stopped as it starts closes the store below it.
    if (!stopping.aborted) log.error({ err }, noKeys);
  }
}
