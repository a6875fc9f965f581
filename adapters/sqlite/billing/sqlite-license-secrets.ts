import type { Statement } from 'better-sqlite3';
import {
  licenseSecretId,
  type LicenseSecret,
  type LicenseSecrets,
} from '../../../core/billing/license-secrets.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** The only row of `license_secrets`. */
export interface LicenseSecretRow {
  readonly id: string;
  readonly secret: string;
}

export const licenseSecretsTable = table<LicenseSecretRow>('license_secrets', { id: true, secret: true });

export function toLicenseSecretRow({ secret }: LicenseSecret, id: string): LicenseSecretRow {
  return { id, secret };
}

export function fromLicenseSecretRow({ secret }: LicenseSecretRow): LicenseSecret {
  return { secret };
}

export class SqliteLicenseSecrets implements LicenseSecrets {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], LicenseSecretRow>;
  readonly #insert: Statement<[LicenseSecretRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare(selectFrom(licenseSecretsTable));
    this.#insert = connection.prepare(`${insertInto(licenseSecretsTable)} ON CONFLICT DO NOTHING`);
  }

  read(call: Call): Promise<LicenseSecret | null> {
    return this.#database.read(call, () => mapOrNull(this.#read.get(), fromLicenseSecretRow));
  }

  add(secret: LicenseSecret, call: Call): Promise<ReplaceOutcome> {
    const row = toLicenseSecretRow(secret, licenseSecretId);
    return this.#database.write(call, () => ({
      kind: this.#insert.run(row).changes === 0 ? 'stale' : 'replaced',
    }));
  }
}
