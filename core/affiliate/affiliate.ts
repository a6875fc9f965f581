import { bidiControls } from '../parsing/reordering.ts';
import { textRule, textThat } from '../parsing/value-rule.ts';

/** Somebody who sells listed products for a commission, under a handle. */
export interface Affiliate {
  /** Fixed, and never given twice. */
  readonly handle: string;
  /** For display. The handle, once it is erased. */
  readonly name: string;
  /** As she spelled it. Null once it is erased. */
  readonly email: string | null;
  /** Her description of herself. */
  readonly about: string | null;
  /** Her own page, an https URL. */
  readonly url: string | null;
  /** Where she is paid, in her own words. Shown only to her and to those who pay her. */
  readonly payTo: string | null;
  readonly state: 'active' | 'ended';
  readonly createdAt: Date;
  /** Counts the changes from 1. */
  readonly revision: number;
}

/** The fields of an affiliate that can be changed. */
export type AffiliateFacts = Pick<Affiliate, 'name' | 'email' | 'about' | 'url' | 'payTo'>;

/**
 * The form of a handle, for the documents of the interface. It has no `_`, which ends it in a link, and is not `via`, which
 * begins a reference: `via_sketchpad` names the affiliate @sketchpad.
 */
export const handlePattern = '^(?!via$)[a-z0-9](?:[a-z0-9-]{1,28}[a-z0-9])$';

const handleForm = new RegExp(handlePattern);

export const handleRule = textThat(
  (text) => handleForm.test(text),
  'must be 3 to 30 characters out of a-z, 0-9 and "-", neither begin nor end with "-", and not be "via"',
);

/** Folds a handle as somebody wrote it. The result need not be valid. */
export function foldedHandle(written: string): string {
  return written.trim().replace(/^@/, '').trim().toLowerCase().replaceAll(/[_. ]/g, '-');
}

export const maxAbout = 300;

const excluded = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f${bidiControls}`;

/** The form of an affiliate's description of herself, for the documents of the interface. */
export const aboutPattern = String.raw`^[^${excluded}]*[^\s\ufeff${excluded}][^${excluded}]*$`;

const aboutForm = new RegExp(aboutPattern);

/** Line ends become line feeds. */
export const aboutRule = textRule((given) => {
  const text = given.replaceAll('\r\n', '\n');
  return text.isWellFormed() && [...text].length <= maxAbout && aboutForm.test(text) ? text : null;
}, `must be a plain text of at most ${maxAbout} characters, not blank`);

/** The same affiliate with other facts, and itself if it has them already. */
export function withFacts(affiliate: Affiliate, facts: AffiliateFacts): Affiliate {
  const names = Object.keys(facts) as (keyof AffiliateFacts)[];
  const isSame = names.every((name) => affiliate[name] === facts[name]);
  return isSame ? affiliate : changed(affiliate, facts);
}

/** Ends an affiliate, who then promotes nothing. The same affiliate if it has ended already. */
export function endedAffiliate(affiliate: Affiliate): Affiliate {
  return affiliate.state === 'ended' ? affiliate : changed(affiliate, { state: 'ended' });
}

/** The same affiliate without anything that identifies the person. */
export function erasedAffiliate(affiliate: Affiliate): Affiliate {
  return withFacts(affiliate, { name: affiliate.handle, email: null, about: null, url: null, payTo: null });
}

function changed(affiliate: Affiliate, change: Partial<Affiliate>): Affiliate {
  return { ...affiliate, ...change, revision: affiliate.revision + 1 };
}
