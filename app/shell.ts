import { createReadStream } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { writeError } from '../adapters/cli/output/shown-text.ts';
import { CommandFailed, WrongArgument } from '../adapters/cli/shell/errors.ts';
import type { InputFile, NewFile, ServeOptions, Shell, StripeCommands } from '../adapters/cli/shell/shell.ts';
import { httpUrl } from '../adapters/http/http-url.ts';
import { portAdvice } from '../adapters/mail/smtp-ports.ts';
import type { Administration } from '../core/administration/administration.ts';
import type { Actor, NewCall } from '../core/call.ts';
import { retentionFor } from '../core/entitlement/idempotency/retention.ts';
import { keptPromise } from '../core/kept-promise.ts';
import type { ServeParts } from './server/serve.ts';
import { buyerAddresses } from './server/stripe/buyer-addresses.ts';
import { mailLoader, noPublicUrl, sendsMail } from './service/mail.ts';
import { loadLogging, newCall, onHangup } from './service/process.ts';
import { release } from './service/release.ts';
import { describeSettings, settingFlags } from './settings/describe.ts';
import { resolveForCommand, resolveSettings, withoutEmpty } from './settings/resolve.ts';
import type { Settings } from './settings/settings.ts';
import type { StopSignals } from './stop-signals.ts';
import type { serveWithWorkers } from './workers/serve-with-workers.ts';

/** Milliseconds that a command may take, which is longer than a request: no buyer waits for it. */
const commandTimeout = 60_000;

const clock = (): Date => new Date();

/** The user that runs this process, as the one who makes its changes. */
const actor = (): Actor => `command:${userName()}`;

const newCommandCall: NewCall = () => newCall(clock(), commandTimeout, actor());

/** The environment and streams of a command line. */
interface Surroundings extends Pick<Shell, 'stdin' | 'stdout' | 'stderr'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Connects the command line to this process: its environment, clock and streams. `takeOverSignals` leaves SIGTERM and
 * SIGINT to a service, and says what SIGHUP does. Each function imports what it needs when it is called, because to
 * load the whole program takes several times as long as most commands.
 */
export function processShell(
  takeOverSignals: (...options: Parameters<StopSignals['takeOver']>) => AbortSignal,
  { env: variables, stdin, stdout, stderr }: Surroundings = process,
): Shell {
  const env = withoutEmpty(variables);
  return {
    environment: env,
    version: release,
    settingFlags,
    checkSettings: async (typed) => {
      const { settings } = resolveSettings(typed, env);
      const { checkStoreUrl } = await import('./stores/open-store.ts');
      await checkStoreUrl(settings.store);
      if (settings.stripeApiKey !== null) await requireStripe(settings);
      const advice = settings.smtpUrl === null ? null : portAdvice(settings.smtpUrl);
      if (advice !== null) writeError({ stderr }, `${advice}\n`);
    },
    effectiveSettings: (typed) => describeSettings(resolveSettings(typed, env)),
    siteTexts: (typed) => resolveSettings(typed, env).settings.siteTexts,
    openStore: async (typed, { pretend = false, ...access }, call) => {
      const settings = resolveForCommand(typed, env);
      const { store: url, idempotencyTtl, eventRetention, webhookAllowNetworks } = settings;
      const { consoleIdle, endingSoon, host, port, publicUrl, receiptMaxAge, trialRetention } = settings;
      const seats = { idle: settings.deviceIdle, releases: settings.deviceReleases };
      const retention = retentionFor(idempotencyTtl);
      const { openStore, openStoreOrEmpty } = await import('./stores/open-store.ts');
      const { administrationOf } = await import('../core/administration/administration.ts');
      const { platformReaching } = await import('./service/platform.ts');
      const opening = pretend ? openStoreOrEmpty(url, retention, call) : openStore(url, access, retention, call);
      const store = await opening;
      const platform = platformReaching(webhookAllowNetworks ?? []);
      const issuer = publicUrl ?? httpUrl(host, port);
      const known = { issuer, receiptMaxAge, eventRetention, consoleIdle, trialRetention };
      const stripe = async (administration: Administration): Promise<StripeCommands> => {
        await requireStripe(settings);
        const { stripeCommands } = await import('./stripe-commands.ts');
        return stripeCommands({ ports: store.ports, administration, platform, by: actor() }, settings);
      };
      const loadMail = mailLoader(settings, () => known.issuer);
      const administration = administrationOf(store.ports, platform, {
        endingSoon,
        seats,
        baseUrl: () => known.issuer,
        addresses: buyerAddresses(settings),
        merchantUrl: settings.merchantUrl,
        loadMail: async () => {
          if (publicUrl === null && sendsMail(settings)) writeError({ stderr }, `${noPublicUrl}.\n`);
          return loadMail();
        },
      });
      return { ...administration, ...known, stripe, close: () => store.close() };
    },
    migrateStore: async (typed, options, call) => {
      const { migrateStore } = await import('./stores/open-store.ts');
      const { createLogger, upgradeLog } = await loadLogging();
      await migrateStore(resolveForCommand(typed, env).store, options, upgradeLog(await createLogger()), call);
    },
    restoreStore: async (typed, backup, isStopped) => {
      const { restoreStore } = await import('./restore-store.ts');
      return restoreStore(resolveForCommand(typed, env).store, backup, newCommandCall, isStopped);
    },
    openStorePair: async (...parameters) => {
      const { openStorePair } = await import('./stores/open-store.ts');
      return openStorePair(...parameters);
    },
    serve: ({ settings, json }) =>
      serving({ settings, env }, takeOverSignals({ hangup: 'ignore' }), async (resolved, parts) => {
        const serve = await serverOf(resolved);
        if (resolved.workers === 1) onHangup(() => parts.log.warn('SIGHUP restarts workers, and WORKERS is 1'));
        await serve(resolved, parts, (url) => {
          if (json) stdout.write(`${JSON.stringify({ address: url })}\n`);
        });
      }),
    demo: ({ settings, json, seed }) =>
      serving({ settings, env: quiet(settings, env) }, takeOverSignals({ hangup: 'stop' }), async (resolved, parts) => {
        const { demo } = await import('./demo/demo.ts');
        await demo(resolved, parts, { print: (text) => void stdout.write(text), json, seed });
      }),
    takeOverSignals,
    newCall: newCommandCall,
    log: logChanges(),
    loadPlatform: async () => (await import('./service/platform.ts')).nodePlatform,
    openFile,
    createFile,
    stdin,
    stdout,
    stderr,
  };
}

/** The environment of a demo. Its log leaves requests out unless a setting asks for them, because it is on a terminal. */
function quiet({ file }: ServeOptions['settings'], env: Surroundings['env']): Surroundings['env'] {
  return file === null ? { LOG_LEVEL: 'error', ...env } : env;
}

/** Serves in this process, or in several. */
async function serverOf({ workers }: Settings): Promise<typeof serveWithWorkers> {
  return workers === 1
    ? (await import('./server/serve.ts')).serve
    : (await import('./workers/serve-with-workers.ts')).serveWithWorkers;
}

/** Runs a service with the settings of its command line. An address that cannot be used is a failure of the command. */
async function serving(
  { settings: typed, env }: Pick<ServeOptions, 'settings'> & Pick<Surroundings, 'env'>,
  stopping: AbortSignal,
  work: (settings: Settings, parts: ServeParts) => Promise<void>,
): Promise<void> {
  const { settings } = resolveSettings(typed, env);
  const { createLogger } = await loadLogging();
  const { UnusableAddress } = await import('../adapters/http/server/listen.ts');
  if (settings.stripeApiKey !== null) await requireStripe(settings);
  const { logFormat, logLevel, workers } = settings;
  try {
    const log = await createLogger(logFormat, logLevel, workers > 1 ? 'shared' : 'alone');
    await work(settings, { clock, log, stopping });
  } catch (error) {
    throw error instanceof UnusableAddress
      ? new CommandFailed('address_unusable', error.message, { cause: error })
      : error;
  }
}

/** Makes a missing key or package of Stripe a failure of the command. */
async function requireStripe({ stripeApiKey }: Pick<Settings, 'stripeApiKey'>): Promise<void> {
  if (stripeApiKey === null) {
    throw new CommandFailed('stripe_not_configured', 'STRIPE_API_KEY is not set: set it to a key of Stripe.');
  }
  const { loadStripe, StripeNotInstalled } = await import('../adapters/stripe/client/create-stripe.ts');
  try {
    await loadStripe();
  } catch (error) {
    throw error instanceof StripeNotInstalled
      ? new CommandFailed('stripe_not_installed', error.message, { cause: error })
      : error;
  }
}

/** Writes changes to the log, with who made them. The logger is loaded for the first of them. */
function logChanges(): Shell['log'] {
  const logger = keptPromise(async () => (await loadLogging()).createLogger());
  return (change) => {
    void logger().then((log) => log.info({ ...change, by: actor() }, 'changed'));
  };
}

async function openFile(path: string): Promise<InputFile> {
  const handle = await open(path).catch(() => null);
  const found = await handle?.stat();
  if (handle !== null && found?.isFile() === false && !found.isDirectory()) {
    return { size: null, content: handle.createReadStream() };
  }
  await handle?.close();
  if (found?.isFile() === true) return { size: found.size, content: contentOf(path) };
  throw new WrongArgument('The file must exist and be readable.');
}

/** Opens the file when it is read, because a command that fails before that closes nothing. */
async function* contentOf(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}

function notWritten(error: NodeJS.ErrnoException): CommandFailed {
  const reason = error.code === 'ENOSPC' ? ': the disk is full' : '';
  return new CommandFailed('file_not_written', `The file could not be written${reason}.`, { cause: error });
}

async function createFile(path: string): Promise<NewFile> {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new WrongArgument(
      error.code === 'EEXIST'
        ? 'The file exists already: name a new one.'
        : 'The file cannot be created: its folder must exist, be writable and have room.',
    );
  });
  const discard = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    await unlink(path).catch(() => undefined);
  };
  const write = async (content: string): Promise<void> => {
    try {
      await handle.writeFile(content);
      await handle.sync();
      await handle.close();
    } catch (error) {
      await discard();
      throw notWritten(error as NodeJS.ErrnoException);
    }
  };
  const append = async (content: string): Promise<void> => {
    try {
      await handle.appendFile(content);
      await handle.sync();
    } catch (error) {
      throw notWritten(error as NodeJS.ErrnoException);
    }
  };
  return { write, append, close: () => handle.close(), discard };
}

/** Returns the name of the user that runs this process or, where the system has none, as in some containers, the number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
