import { MongoClient, type MongoClientOptions } from 'mongodb';
import { UnusableStore } from '../../../core/store/store.port.ts';

/** The name under which the server lists the connections of every release, except those of `store migrate`. */
export const servingAppName = 'latchkey';

/**
 * Options that the store's address cannot override. The timeouts of server selection and of the queue for a connection
 * are below the default deadline of five seconds; that of a silent socket is far above it. The driver retries nothing by
 * itself: it knows neither the deadline nor whether a write is safe to repeat.
 */
const ownOptions: MongoClientOptions = {
  appName: servingAppName,
  serverSelectionTimeoutMS: 4500,
  connectTimeoutMS: 2000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 4500,
  heartbeatFrequencyMS: 500,
  retryReads: false,
  retryWrites: false,
};

/** An address in its parts. The options are those of the query, each as it is written. */
interface Parts {
  readonly scheme: string;
  /** With the `@` at its end; empty without credentials. */
  readonly credentials: string;
  readonly place: string;
  readonly options: readonly string[];
}

/**
 * Makes a client of the address of a store, without connecting it; `own` replaces some of the options. Throws
 * `UnusableStore` for an address that the driver refuses or that names no database.
 */
export function clientAt(url: string, own: MongoClientOptions): MongoClient {
  const all = { ...ownOptions, ...own };
  let client;
  try {
    client = new MongoClient(url, all);
  } catch {
    // The driver's message may contain a credential.
    throw new UnusableStore(mistakeIn(url, all));
  }
  if (!/^[^/]+\/\/[^/]+\/[^/?]+(\?|$)/.test(url)) {
    throw new UnusableStore('The address of the store must name a database: mongodb://host/database.');
  }
  try {
    client.db();
  } catch {
    throw new UnusableStore('The address of the store names a database as MongoDB does not.');
  }
  return client;
}

/** Checks an address without connecting to it. Throws `UnusableStore`. */
export function checkAddress(url: string): void {
  clientAt(url, {});
}

const credentialsRule =
  'The address of the store is not one that MongoDB understands: a user name or password with : / ? # [ ] @ % in it must be percent-encoded.';

/** Finds the part of the address that the driver refuses, by leaving out one part after another. Names no value. */
function mistakeIn(url: string, all: MongoClientOptions): string {
  const isRefused = ({ scheme, credentials, place }: Parts, options: readonly string[]): boolean => {
    const query = options.length === 0 ? '' : `?${options.join('&')}`;
    try {
      void new MongoClient(`${scheme}${credentials}${place}${query}`, all);
      return false;
    } catch {
      return true;
    }
  };
  const parts = partsOf(url);
  if (parts === null) return credentialsRule;
  if (isRefused(parts, [])) {
    const isOfCredentials = parts.credentials !== '' && !isRefused({ ...parts, credentials: '' }, []);
    return isOfCredentials ? credentialsRule : placeRule(parts.scheme);
  }
  const refused = parts.options.filter((option) => isRefused(parts, [option]));
  return refused.length === 0
    ? `The address of the store has options that exclude each other: ${namesOf(parts.options)}.`
    : `The address of the store has options that MongoDB does not know, or not with their values: ${namesOf(refused)}.`;
}

function placeRule(scheme: string): string {
  const form = scheme.includes('srv') ? 'mongodb+srv://HOST/DATABASE, without a port' : 'mongodb://HOST:PORT/DATABASE';
  return `The address of the store does not name hosts as MongoDB does: ${form}.`;
}

/** Null where an `@` follows a `?`: the end of the password is unknown then, so no part can be named. */
function partsOf(url: string): Parts | null {
  const [, scheme = '', rest = ''] = /^(mongodb(?:\+srv)?:\/\/)(.*)$/s.exec(url) ?? [];
  const start = rest.indexOf('?');
  const [place, query] = start === -1 ? [rest, ''] : [rest.slice(0, start), rest.slice(start + 1)];
  if (query.includes('@')) return null;
  const end = place.lastIndexOf('@') + 1;
  const options = query.split('&').filter((option) => option !== '');
  return { scheme, credentials: place.slice(0, end), place: place.slice(end), options };
}

/** Repeats only what looks like a name. */
function namesOf(options: readonly string[]): string {
  const names = options.map((option) => option.split('=')[0] ?? '');
  return names.map((name) => (/^[A-Za-z]\w{0,39}$/.test(name) ? name : '***')).join(', ');
}
