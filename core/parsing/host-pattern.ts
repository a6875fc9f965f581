const port = '(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

/** The name or IPv4 address of a host in a URL, with an optional port. */
export const hostPattern = `[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}(?::${port})?`;

/** This machine by the names that `hostPattern` takes, with an optional port. */
export const loopbackPattern = `(?:localhost|127(?:\\.[0-9]{1,3}){3})(?::${port})?`;

/** Reports whether a host, as URLs write it in lower case, is this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}
