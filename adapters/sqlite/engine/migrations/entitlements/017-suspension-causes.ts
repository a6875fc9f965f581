import type { Migration } from '../released/migration.ts';

/** Why access is suspended, separated by commas. NULL if the operator is the only cause, as in every earlier schema. */
export const suspensionCauses: Migration = {
  name: '017-suspension-causes',
  sql: `
  ALTER TABLE entitlements ADD COLUMN suspension_causes TEXT;
  `,
};
