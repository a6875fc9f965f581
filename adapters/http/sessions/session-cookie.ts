import type { Connection } from './connection.ts';

/** Both forms of the cookie are out of the reach of scripts, and follow a link from another site, but none of its forms. */
const attributes = 'HttpOnly; SameSite=Lax';

const tokenSyntax = /^[A-Za-z0-9_-]{43}$/;

/** The name of a cookie, and how browsers keep it; null for a connection that gets no cookie. */
function formOf(connection: Connection): { readonly name: string; readonly attributes: string } | null {
  switch (connection.kind) {
    case 'https':
      return { name: '__Host-latchkey_console', attributes: `Secure; ${attributes}; Path=/` };
    // Safari sends no `Secure` cookie to http on loopback, and the ports of a host share their cookies.
    case 'loopback':
      return { name: `latchkey_console_${connection.port}`, attributes: `${attributes}; Path=/console` };
    case 'insecure':
      return null;
  }
}

/** Reads the token of a session from the `Cookie` field. Returns null if it has none, or two: then one was planted. */
export function sessionTokenIn(field: string | undefined, connection: Connection): string | null {
  const form = formOf(connection);
  if (field === undefined || form === null) return null;
  const values = field
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${form.name}=`))
    .map((pair) => pair.slice(form.name.length + 1));
  const [token] = values;
  return values.length === 1 && token !== undefined && tokenSyntax.test(token) ? token : null;
}

/** The `Set-Cookie` field that begins a session or, without a token, ends it. Empty for a connection that gets none. */
export function sessionCookie(token: string | null, connection: Connection): readonly string[] {
  const form = formOf(connection);
  if (form === null) return [];
  const value = token === null ? `${form.name}=; Max-Age=0` : `${form.name}=${token}`;
  return ['Set-Cookie', `${value}; ${form.attributes}`];
}
