import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const library = 'stripe@23';

/**
 * The command that installs Stripe's library where a file of Latchkey finds it. In a checkout, which has it for its own
 * tests only, the command leaves `package.json` and `package-lock.json` as they are.
 */
export function installCommand(url: string): string {
  const path = fileURLToPath(url);
  const packages = path.lastIndexOf(`${sep}node_modules${sep}latchkey${sep}`);
  if (packages < 0) {
    const root = path.slice(0, path.lastIndexOf(`${sep}adapters${sep}`)).replace(/[\\/]dist$/, '');
    return `npm install --prefix ${quoted(root)} --no-save --save-prod --omit=dev ${library}`;
  }
  const folder = path.slice(0, packages);
  const global = `${sep}lib`; // where npm keeps packages below a prefix
  return folder.endsWith(global)
    ? `npm install --global --prefix ${quoted(folder.slice(0, -global.length))} ${library}`
    : `npm install --prefix ${quoted(folder)} ${library}`;
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
