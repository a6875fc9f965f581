/**
 * Node's HTTP server. An import of `node:http` would read each of its members, one of which loads Node's HTTP client: 50 ms
 * of CPU at each start.
 */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');
