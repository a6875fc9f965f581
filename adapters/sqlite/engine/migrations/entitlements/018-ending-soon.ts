import type { Migration } from '../released/migration.ts';

/** Sets the end that has no event of every entitlement that has not ended, by the rules of `endingOf`. */
export const setUntoldEndsSql = `
  UPDATE entitlements SET untold_end = min(grace_until, ifnull(cancel_at, grace_until))
  WHERE kind = 'subscription' AND hold <> 'revoked'
    AND min(grace_until, ifnull(cancel_at, grace_until)) > unixepoch('subsec') * 1000;
`;

/** Which end of access no event has announced. An end that is near when the schema changes is announced then. */
export const endingSoon: Migration = {
  name: '018-ending-soon',
  sql: `
  ALTER TABLE entitlements ADD COLUMN untold_end INTEGER;
  ${setUntoldEndsSql}
  CREATE INDEX entitlements_untold_end ON entitlements (untold_end) WHERE untold_end IS NOT NULL AND hold = 'none';
  `,
};
