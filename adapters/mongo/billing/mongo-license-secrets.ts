import {
  licenseSecretId,
  type LicenseSecret,
  type LicenseSecrets,
} from '../../../core/billing/license-secrets.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** The only document of `license_secrets`. */
export type LicenseSecretDocument = { readonly _id: string } & LicenseSecret;

export function toLicenseSecretDocument({ secret }: LicenseSecret, _id: string): LicenseSecretDocument {
  return { _id, secret };
}

export function fromLicenseSecretDocument({ secret }: LicenseSecretDocument): LicenseSecret {
  return { secret };
}

export class MongoLicenseSecrets implements LicenseSecrets {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async read(call: Call): Promise<LicenseSecret | null> {
    const query = { filter: { _id: licenseSecretId }, limit: 1 };
    const [document] = await this.#database.find<LicenseSecretDocument>('license_secrets', query, call);
    return document === undefined ? null : fromLicenseSecretDocument(document);
  }

  async add(secret: LicenseSecret, call: Call): Promise<ReplaceOutcome> {
    const document = toLicenseSecretDocument(secret, licenseSecretId);
    const isNew = await insertNew(this.#database, 'license_secrets', document, call);
    return { kind: isNew ? 'replaced' : 'stale' };
  }
}
