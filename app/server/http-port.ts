import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { devNull } from 'node:os';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { Editions } from '../../adapters/http/editions.ts';
import { metadataUrlOf } from '../../adapters/http/operations/discovery-operations.ts';
import { HttpService, type HttpServiceSettings } from '../../adapters/http/server/http-service.ts';
import { closeServer, listen, stopListening } from '../../adapters/http/server/listen.ts';
import { createListener, type ListenerSettings } from '../../adapters/http/server/listener.ts';
import type { Clock } from '../../core/call.ts';
import type { BackgroundTask } from '../../core/store/background-task.ts';
import { tokens } from '../service/tokens.ts';
import type { BaseUrl } from './base-url.ts';
import { RepeatedTask } from './repeated-task.ts';

/** What all ports of a server share. */
export interface HttpPortParts {
  readonly container: Container;
  readonly clock: Clock;
  readonly log: Logger;
  readonly editions?: Editions;
}

type OwnServiceSettings = 'operations' | 'pages' | 'rateLimiter' | 'observe' | 'corsOrigins' | 'storeDeadline';

/** What differs from port to port. */
export interface HttpPortSettings extends ListenerSettings, Pick<HttpServiceSettings, OwnServiceSettings> {
  readonly baseUrl: BaseUrl;
  /** Whether it serves the RFC 9728 metadata that a 401 refers to. */
  readonly hasMetadata: boolean;
  /** The flag that chooses the port. */
  readonly flag: string;
  /** Called for each connection above the maximum, which is closed. */
  readonly onRefusedConnection?: () => void;
}

/** Milliseconds without a refused connection after which the log mentions the next one. */
const quietTime = 60_000;

/** A port to listen on, with a table of operations of its own. */
export class HttpPort {
  readonly #settings: HttpPortSettings;
  readonly #service: HttpService;
  readonly #listener: Server;
  readonly #log: Logger;
  /** When the last connection was refused, by the monotonic clock. */
  #refusedAt = -Infinity;

  constructor({ container, clock, log, editions = new Editions() }: HttpPortParts, settings: HttpPortSettings) {
    this.#settings = settings;
    this.#log = log;
    this.#service = new HttpService({
      ...settings,
      authenticate: container.get(tokens.authenticate),
      authorize: container.get(tokens.authorize),
      authenticateOperator: container.get(tokens.authenticateOperator),
      authorizeOperator: container.get(tokens.authorizeOperator),
      editions,
      clock,
      log,
      newId: newCorrelationId,
      metadataUrl: settings.hasMetadata ? () => metadataUrlOf(settings.baseUrl.value) : null,
    });
    this.#listener = createListener(this.#service, settings).on('drop', () => this.#reportRefusedConnection());
  }

  /** Listens, and returns the address; port 0 means any free port. Throws `UnusableAddress`. */
  async listen(host: string, port: number): Promise<string> {
    const { flag, baseUrl } = this.#settings;
    const onError = (err: Error): void => this.#log.error({ err }, 'a connection could not be accepted');
    const url = await listen(this.#listener, { host, port, flag }, onError);
    baseUrl.listensOn(url);
    return url;
  }

  /** Lets the process end although the port listens, and connections are open. */
  unref(): void {
    this.#listener.unref().on('connection', (socket) => socket.unref());
  }

  /** Logs the first of a series, because a server that is full refuses many a second. */
  #reportRefusedConnection(): void {
    const now = performance.now();
    const { maxConnections: connections, onRefusedConnection } = this.#settings;
    if (now - this.#refusedAt > quietTime) {
      this.#log.warn({ connections }, 'connections are closed: MAX_CONNECTIONS is reached');
    }
    this.#refusedAt = now;
    onRefusedConnection?.();
  }

  /** Closes each connection after its next response, and holds no request, from now on. */
  drain(): void {
    this.#service.drain();
  }

  /** Accepts no more connections. Resolves once all have closed: after their next response, or idle for too long. */
  leave(): Promise<void> {
    this.drain();
    return stopListening(this.#listener);
  }

  /** Accepts no more connections, and closes those that are still open after `timeout` milliseconds. */
  close(timeout: number): Promise<void> {
    return closeServer(this.#listener, timeout);
  }
}

/** Milliseconds between two trials. */
const trialPause = 1000;

const noFile =
  'no further file can be opened: the system closes new connections (raise LimitNOFILE= of systemd, or ulimit -n)';

/**
 * Logs once for each series of trials in which this process cannot open a file, because it or the system has as many open as
 * it may. Without it nobody would know: libuv closes the connections that it cannot accept by itself.
 */
export function watchDescriptors(log: Logger): Pick<BackgroundTask, 'stop'> {
  const task = new RepeatedTask(async () => {
    const file = await open(devNull);
    await file.close();
  }, trialPause);
  task.start((err) => log.error({ err }, noFile));
  return task;
}
