import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogChange } from '../../core/administration/change-log.ts';
import type { OnUpgrade } from '../../core/store/store.port.ts';
import type { Settings } from '../settings/settings.ts';
import { LineBuffer } from './line-buffer.ts';

/** Maximum size of the lines that wait to be written, in bytes: about 80,000 requests. */
const maxBuffered = 16 * 1024 * 1024;

/** Bytes that are written at once. Each write wakes another thread, which costs as much as many lines. */
const pieceSize = 64 * 1024;

/** Bytes that a pipe or socket never mixes with what other processes write to it (PIPE_BUF); a file mixes none. */
const unmixedSize = 4096;

/** Whether other processes write to the same standard error. */
type Writers = 'alone' | 'shared';

/** Milliseconds until lines that could not be written, such as to a full disk, are tried again. */
const retryPause = 100;

/**
 * The log must be read within this number of rounds of this many milliseconds when the process ends. Rounds are
 * counted, because a machine that was paused has had only one of them.
 */
const closeRounds = 20;
const closeRound = 100;

/** Shared by all loggers of the process, so that no line is written into the middle of another. */
let standardError: Destination | null = null;

/**
 * Creates a logger to standard error: pretty lines, or one JSON object a line. JSON lines are buffered for at most 100 ms
 * and flushed when the process ends; lines are lost if the process is killed, and dropped above `maxBuffered`.
 */
export async function createLogger(
  format: Settings['logFormat'] = 'auto',
  level: Settings['logLevel'] = 'info',
  writers: Writers = 'alone',
): Promise<Logger> {
  return loggerTo(await logDestination(format, writers), level);
}

/** Opens standard error for lines of JSON, which are written in this format. `auto` is that of the lines before. */
async function logDestination(format: Settings['logFormat'], writers: Writers): Promise<DestinationStream> {
  if (format === 'pretty' || (format === 'auto' && standardError === null && process.stderr.isTTY)) {
    const { default: pretty } = await import('pino-pretty');
    return pretty({ destination: 2, sync: true, messageKey: 'message', ignore: 'pid,hostname' });
  }
  standardError ??= bufferedDestination(2, maxBuffered, writers === 'shared' ? sharedPieceSize(2) : pieceSize);
  return standardError;
}

function sharedPieceSize(fd: number): number {
  const file = fstatSync(fd);
  return file.isFIFO() || file.isSocket() ? unmixedSize : pieceSize;
}

/** Flushes and closes the log on standard error. Returns false if nobody has read it within two seconds. */
export async function endLog(): Promise<boolean> {
  if (standardError === null) return true;
  const closed = standardError.end().then(() => true);
  for (let round = 0; round < closeRounds; round += 1) {
    if (await Promise.race([closed, sleep(closeRound, false)])) return true;
  }
  return false;
}

/** Where lines are written, and how that ends. */
interface Destination extends DestinationStream {
  /** Writes what is buffered. Resolves when it is closed, or when it cannot be written. */
  end(): Promise<void>;
}

/** The destination of pino. Its types leave out whether it is closed. */
type ClosableDestination = ReturnType<typeof pino.destination> & { readonly destroyed: boolean };

/**
 * Opens a file or file descriptor without ever blocking a caller: lines are written in pieces, at most 100 ms later. A
 * piece that does not fit into `maxBytes` is dropped, and so are those after it until there is room again; then the number of
 * their lines is logged. Lines that cannot be written, such as to a full disk, wait for room in the same way.
 */
export function bufferedDestination(dest: string | number, maxBytes: number, maxPiece = pieceSize): Destination {
  let dropped = 0;
  const drop = (piece: string): void => {
    dropped += piece.split('\n').length - 1;
  };
  let isFailing = false;
  const closeIfFailing = (): void => {
    if (isFailing) file.destroy();
  };
  // After the lines are flushed, and before pino would write them again and again until there is room.
  process.prependListener('exit', closeIfFailing);
  const lines = new LineBuffer(maxPiece, (piece) => {
    if (dropped > 0) drop(piece);
    else if (!file.destroyed) file.write(piece);
  });
  const file = pino.destination({ dest, sync: false, maxLength: maxBytes, maxWrite: maxPiece }) as ClosableDestination;
  const log = loggerTo(lines);
  file.on('drop', drop);
  file.removeAllListeners('error'); // pino lets all errors but EPIPE end the process.
  file.on('error', ({ code }: NodeJS.ErrnoException) => {
    isFailing = true;
    if (code === 'EPIPE') file.destroy();
    else setTimeout(() => file.destroyed || file.write(''), retryPause).unref();
  });
  file.on('write', () => {
    isFailing = false;
    if (dropped === 0) return;
    const before = dropped;
    dropped = 0;
    log.warn({ lines: before }, 'log lines were dropped because nobody read them');
    lines.flush();
    if (dropped > 0) dropped += before - 1; // this line was dropped as well; the next write reports all others
  });
  const end = async (): Promise<void> => {
    lines.end();
    if (!file.destroyed) {
      const closed = once(file, 'close').catch(() => file.destroy());
      file.end();
      await closed;
    }
    process.off('exit', closeIfFailing);
  };
  return { write: (line) => lines.write(line), end };
}

/** Creates a logger in the form that the service logs in. */
export function loggerTo(destination: DestinationStream, level: Settings['logLevel'] = 'info'): Logger {
  return pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: timeMember,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: faultView, id: withoutSession, entitlementId: withoutSession },
    },
    destination,
  );
}

/** The id of a purchase is the session of its checkout at Stripe. Anybody who knows the session can claim the key. */
function withoutSession(id: unknown): unknown {
  return typeof id === 'string' && id.startsWith('cs_') ? 'cs_***' : id;
}

/** Logs that the schema of a store was upgraded. It is a warning, because no older release can open the store any more. */
export function upgradeLog(log: Logger): OnUpgrade {
  return (upgrade) => log.warn({ ...upgrade }, 'the schema of the store was upgraded');
}

/** Logs who has changed what, at every `LOG_LEVEL`: keys, erasures and webhooks have no other history. */
export function changeLog(log: Logger): LogChange {
  const changes = log.child({}, { level: 'info' });
  return (change, { by, correlationId }) => changes.info({ ...change, by, correlationId }, 'changed');
}

let lastTime = 0;
let lastMember = '';

/** The member with the time of a line. Many lines have the same millisecond. */
function timeMember(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastMember = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastMember;
}

interface FaultView {
  readonly name: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly at?: readonly string[];
  readonly cause?: FaultView;
}

const quotesValues = /^(SyntaxError|Mongo.*|.*Validation.*)$/;

/**
 * Reduces a fault to the parts that may be logged: name, code and stack, and the message unless it may quote a client's
 * input. Parsers and databases quote values, and a value may be a key, a license or an address. A string is a message
 * of Latchkey itself.
 */
function faultView(fault: unknown): FaultView {
  if (typeof fault === 'string') return { name: 'Cause', message: fault };
  if (!(fault instanceof Error)) return { name: typeof fault };
  const code: unknown = 'code' in fault ? fault.code : undefined;
  const at = fault.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: fault.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(quotesValues.test(fault.name) ? {} : { message: fault.message }),
    ...(at === undefined ? {} : { at: at.map((line) => line.trim()) }),
    ...(fault.cause === undefined ? {} : { cause: faultView(fault.cause) }),
  };
}
