import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as original from '../../client/index.ts';
import { fileOf } from '../../docs/generate/repository.ts';

/** A mistake that people make in a gate, and the cases that must find it. */
export interface Mutant {
  readonly does: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly only: string;
}

export const mutants: readonly Mutant[] = [
  {
    does: 'takes a failure of the service for a verdict',
    file: 'licenses.ts',
    from: "if (error.code === 'malformed_license_key') return",
    to: 'if (error.status !== null) return',
    only: 'no-verdict/status-5',
  },
  {
    does: 'keeps the receipt of a license that the service calls invalid',
    file: 'license-gate.ts',
    from: 'if (judged !== null && !isOfAnother) await',
    to: 'if (judged === null) await',
    only: 'time/what-the-service-has-contradicted',
  },
  {
    does: 'forgets the latest instant that it has seen',
    file: 'license-gate.ts',
    from: 'await this.#save({ ...stored, lastSeen: latest(now, stored.lastSeen) });',
    to: 'await this.#save({ ...stored, lastSeen: now });',
    only: 'clock/',
  },
  {
    does: 'trusts a receipt without its signature',
    file: 'receipt.ts',
    from: "if (!(await isSigned(jws, key))) return refused('bad_signature');",
    to: 'await isSigned(jws, key);',
    only: 'receipt/bad_signature/',
  },
  {
    does: 'does not compare the device',
    file: 'receipt.ts',
    from: 'if (deviceId !== undefined && !(await isForDevice(claims, deviceId)))',
    to: 'if (deviceId !== undefined && !(await isForDevice(claims, deviceId)) && claims.device === 7)',
    only: 'device/a-storage-that-was-copied',
  },
  {
    does: 'takes an activation without an entitlement for a seat',
    file: 'answer/forms.ts',
    from: 'areFeatures(features) && isLicensedEntitlement(entitlement) && isReceipt',
    to: 'areFeatures(features) && isReceipt',
    only: 'device/no-verdict/success',
  },
  {
    does: 'stores what is handed out without verifying it',
    file: 'license-gate.ts',
    from: 'const isNext = isOfThisLicense(another) && !isOffline(judged);',
    to: 'const isNext = another !== null && !isOffline(judged);',
    only: 'fetched-receipt/',
  },
  {
    does: 'stores a fetched receipt in place of an offline one',
    file: 'license-gate.ts',
    from: 'const isNext = isOfThisLicense(another) && !isOffline(judged);',
    to: 'const isNext = isOfThisLicense(another);',
    only: 'allowances/an-upgrade',
  },
  {
    does: 'drops the receipt because of a mistyped key',
    file: 'license-gate.ts',
    from: "if (answer.reason !== 'malformed') await",
    to: 'await',
    only: 'malformed/',
  },
  {
    does: 'wants to be asked only after the end of its receipt',
    file: 'license-check.ts',
    from: 'Math.min(now.getTime() + wait, end)',
    to: 'now.getTime() + wait',
    only: 'time/the-next-check',
  },
];

/** Makes a copy of the client with a mistake in it. */
export async function mutantGate({
  file,
  from,
  to,
}: Mutant): Promise<AsyncDisposable & { readonly client: typeof original }> {
  // In the checkout, because Node strips no types below a node_modules and none of a folder without a package.
  const folder = await mkdtemp(fileOf('test/gates/.mutant-'));
  await cp(fileOf('client'), folder, { recursive: true, filter: (path) => !/\/(dist|admin)$/.test(path) });
  const source = await readFile(join(folder, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} must contain once: ${from}`);
  await writeFile(
    join(folder, file),
    source.replace(from, () => to),
  );
  const client = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as typeof original;
  return { client, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
