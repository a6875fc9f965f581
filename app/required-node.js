// @ts-check
// JavaScript that every Node can load, because it runs before anything that only a current one understands.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest major release of Node that runs the service, as `engines` in package.json says. */
export const requiredNode = 24;

const fromWebsite = 'install Node from https://nodejs.org';

/**
 * Returns what is wrong with the version of this process and what to do, or null if it will do.
 *
 * @param {string} program what needs Node, such as `latchkey`
 * @param {string} version the version of Node, such as 24.1.0
 * @param {string} root the folder of the checkout or of the package
 * @returns {string | null}
 */
export function unsupportedNode(
  program,
  version = process.versions.node,
  root = fileURLToPath(new URL('..', import.meta.url)),
) {
  if (Number.parseInt(version, 10) >= requiredNode) return null;
  const advice = adviceFor(root);
  return `${program} needs Node ${requiredNode} or later, and this is Node ${version}. ${advice}.`;
}

/**
 * The advice where Node is too old. A checkout brings its own by the package `node`, whose script fetches it: that script
 * does not run where npm is told to ignore scripts, and the package is not installed without the developers' tools.
 *
 * @param {string} root
 */
function adviceFor(root) {
  /** @type {(...path: readonly string[]) => boolean} */
  const has = (...path) => existsSync(join(root, ...path));
  if (!has('package.json') || !has('latchkey')) return 'Install it from https://nodejs.org';
  if (!has('node_modules')) return `Run npm ci in the checkout, which installs Node ${requiredNode}, or ${fromWebsite}`;
  if (has('node_modules', '.bin', 'node')) return 'Start it by ./latchkey or npm, which use the Node of node_modules';
  if (!has('node_modules', 'node')) {
    return `The package that brings Node is missing, as after npm ci --omit=dev: run npm ci without it, or ${fromWebsite}`;
  }
  const left = `has left out the scripts of packages, one of which fetches Node ${requiredNode}`;
  return has('node_modules', '.pnpm')
    ? `Here pnpm ${left}: run pnpm approve-builds and pnpm rebuild node, or ${fromWebsite}`
    : `Here npm ${left}: run npm rebuild node --ignore-scripts=false, or ${fromWebsite}`;
}
