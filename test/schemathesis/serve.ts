import { startEdge } from '../support/edge-service.ts';

/** The populated service in memory; writes its address and serves until it is killed. */
const service = await startEdge();
console.log(service.url);
