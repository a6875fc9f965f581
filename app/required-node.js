// @ts-check
// JavaScript that every Node can load, because it runs before anything that only a current one understands.

/** The oldest major release of Node that runs the service, as `engines` in package.json says. */
export const requiredNode = 24;

/**
 * Returns what is wrong with the version of this process, or null if it will do.
 *
 * @param {string} program what needs Node, such as `latchkey`
 * @param {string} version the version of Node, such as 24.1.0
 * @returns {string | null}
 */
export function unsupportedNode(program, version = process.versions.node) {
  if (Number.parseInt(version, 10) >= requiredNode) return null;
  return `${program} needs Node ${requiredNode} or later, and this is Node ${version}. Install it from https://nodejs.org.`;
}
