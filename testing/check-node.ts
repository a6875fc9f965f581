import { unsupportedNode } from '../app/required-node.js';

// Imported first, so that an older Node is refused by this message and not by what it cannot load.
const unsupported = unsupportedNode('latchkey/testing');
if (unsupported !== null) throw new Error(unsupported);
