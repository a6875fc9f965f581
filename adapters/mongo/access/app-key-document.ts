import type { AppKey } from '../../../core/access/app-key.ts';

/** A document of `app_keys`: an app key under its digest, by which every request looks it up. */
export type AppKeyDocument = { readonly _id: string } & Omit<AppKey, 'digest'>;

export function toAppKeyDocument({ digest, ...facts }: AppKey): AppKeyDocument {
  return { _id: digest, ...facts };
}

export function fromAppKeyDocument({ _id, ...facts }: AppKeyDocument): AppKey {
  return { digest: _id, ...facts };
}
