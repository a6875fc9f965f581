import { aboutRule, maxAbout, type Affiliate, type AffiliateFacts } from '../../../core/affiliate/affiliate.ts';
import { listingNameRule } from '../../../core/catalog/administration/written-listing.ts';
import { urlRule } from '../../../core/parsing/url-rules.ts';
import { brokenRule, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { asWritten, html, type Html } from '../markup/html.ts';
import { fieldWith, lineField, type TextField } from './fields.ts';

const rules = {
  name: listingNameRule,
  about: aboutRule,
  url: urlRule,
  payTo: listingNameRule,
} satisfies Readonly<Record<string, ValueRule<string>>>;

type DetailName = keyof typeof rules;

const names = Object.keys(rules) as readonly DetailName[];

/** The details in the form, and the mistakes in them. */
export interface Details {
  readonly typed: Readonly<Record<DetailName, string>>;
  readonly mistakes: Partial<Readonly<Record<DetailName, string>>>;
}

/** The details as they are stored. */
export function detailsOf({ name, about, url, payTo }: Affiliate): Details {
  return { typed: { name, about: about ?? '', url: url ?? '', payTo: payTo ?? '' }, mistakes: {} };
}

/** The details that an affiliate changes. */
export type OwnFacts = Pick<AffiliateFacts, DetailName>;

/** Reads the details of a form. Empty fields count as absent. */
export function readDetails(form: URLSearchParams): { readonly details: Details; readonly facts: OwnFacts | null } {
  const typed = Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim()])) as Details['typed'];
  const mistakes: Partial<Record<DetailName, string>> = {};
  const read = (name: DetailName): string | null => {
    const text = typed[name];
    if (text === '' && name !== 'name') return null;
    const value = rules[name].parse(text);
    if (value === null) mistakes[name] = `This ${brokenRule(rules[name], text)}.`;
    return value;
  };
  const { name, ...others } = { name: read('name'), about: read('about'), url: read('url'), payTo: read('payTo') };
  const isValid = name !== null && Object.keys(mistakes).length === 0;
  return { details: { typed, mistakes }, facts: isValid ? { name, ...others } : null };
}

/** The form with the details of an affiliate. */
export function detailsForm(action: string, { typed, mistakes }: Details): Html {
  const field = (name: DetailName, label: string, more: Html, hint?: string): TextField => ({
    name,
    label,
    more,
    value: typed[name],
    mistake: mistakes[name] ?? null,
    ...(hint !== undefined && { hint }),
  });
  const about = field('about', 'About you', html` rows="3" maxlength="${maxAbout}" dir="auto"`);
  return html`<form method="post" action="${action}" class="sheet" novalidate>
    ${lineField(field('name', 'Name', html` maxlength="200" required dir="auto"`))}
    ${fieldWith(about, (attributes) => html`<textarea ${attributes}>${asWritten(`\n${typed.about}`)}</textarea>`)}
    ${lineField(field('url', 'Your site', html` type="url" maxlength="2048"`))}
    ${lineField(field('payTo', 'Where you are paid', html` maxlength="200" dir="auto"`, 'Only those who pay you see it.'))}
    <button class="button primary">Save</button>
  </form>`;
}
