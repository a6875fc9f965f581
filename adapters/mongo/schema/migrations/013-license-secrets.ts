import type { Migration } from './released/migration.ts';

/**
 * Changes nothing: the collection of the license secret is created by its first document. The step keeps a release that
 * does not know it from copying the store without it.
 */
export const addLicenseSecrets: Migration = {
  name: '013-license-secrets',
  run: async () => undefined,
};
