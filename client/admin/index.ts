// The interface of `latchkey/admin`.
export * from '../errors.ts';
export type { Attempt, CallOptions } from '../request.ts';
export { LatchkeyAdmin, type AdminOptions } from './latchkey-admin.ts';
export type * from './models.ts';
export type * from './resources.ts';
