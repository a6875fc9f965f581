// @ts-check
// Ends a process whose Node is too old, before it loads what only a current one understands.
import { unsupportedNode } from './required-node.js';

const unsupported = unsupportedNode('latchkey');
if (unsupported !== null) {
  console.error(unsupported);
  process.exit(1);
}
