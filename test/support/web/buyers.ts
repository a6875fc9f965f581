import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { generateLicenseKey, lastFourOf, licenseDigest } from '../../../core/license/license-key.ts';
import type { License } from '../../../core/license/license.ts';
import { aCall, aLicense, aProduct } from '../builders.ts';
import type { TestService } from '../http/test-service.ts';

const { digest, randomBytes } = nodePlatform;

export const accountUrl = 'https://sketchpad.example/account';
export const supportUrl = 'mailto:help@sketchpad.example';

/** The license of a key. */
export function licenseOf(key: string): License {
  return aLicense({ digest: licenseDigest(key, digest), lastFour: lastFourOf(key) });
}

/** The use cases of the seller. */
export function administrationIn({ container }: TestService): Administration {
  return administrationOf(portsIn(container), nodePlatform);
}

/** Adds the product of the built entitlements, as its buyers see it. */
export async function sellSketchpad(service: TestService, links: object = { accountUrl, supportUrl }): Promise<void> {
  const product = aProduct({ name: 'Sketchpad', ...links });
  await service.container.get(tokens.products).put(product, aCall());
}

/** Grants an entitlement with a new key of the issued form, and returns the key. */
export async function grantWithKey(service: TestService, entitlement: Entitlement): Promise<string> {
  const key = generateLicenseKey(randomBytes);
  await service.grant({ ...entitlement, license: licenseOf(key) });
  return key;
}

/** The parts of a page that unfold, by heading, and whether each is open. */
export function foldsIn(page: string): readonly string[] {
  return [...page.matchAll(/<details[^>]*?( open)?\s*>\s*<summary>(.*?)<\/summary/gs)].map(
    ([, open, heading = '']) => `${open === undefined ? 'closed' : 'open'}: ${textIn(`<main>${heading}</main>`)}`,
  );
}

/** The text of a page, without its markup. */
export function textIn(page: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? '';
  const said = main.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]*>/g, ' ');
  return said
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,?])/g, '$1')
    .trim();
}
