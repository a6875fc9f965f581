import { readMembers, type MemberRules, type Mistake } from '../../../../core/parsing/read-members.ts';
import { html, type Html } from '../../markup/html.ts';

/** A field of a form. */
export interface Field {
  /** The member that it gives, which is its name and its id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Absent for a line of text. */
  readonly input?: 'instant' | 'date' | 'code' | 'secret' | readonly Choice[];
  readonly required?: boolean;
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** A form as it was filled in, and what is wrong with it. */
export interface FilledForm {
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly mistakes: readonly Mistake[];
}

export const emptyForm: FilledForm = { given: {}, mistakes: [] };

/** The fields of a form, with what was typed and what is wrong. A secret that was typed is not sent back. */
export function fieldList(fields: readonly Field[], { given, mistakes }: FilledForm): Html {
  return html`${fields.map((field) => {
    const mistake = mistakes.find(({ member }) => member === field.name);
    return fieldOf(field, given[field.name] ?? '', mistake === undefined ? null : `${field.label} ${mistake.problem}.`);
  })}`;
}

function fieldOf(field: Field, value: string, error: string | null): Html {
  const { name, label, hint } = field;
  return html`<div class="field">
    <label for="${name}">${label}</label>${control(field, value, error !== null)}${
      error === null ? null : html`<p class="error" id="${name}-error">${error}</p>`
    }${hint === undefined ? null : html`<p class="hint" id="${name}-hint" dir="auto">${hint}</p>`}
  </div>`;
}

function control(field: Field, value: string, isWrong: boolean): Html {
  const { name, input, required = false } = field;
  const described = [isWrong ? `${name}-error` : '', field.hint === undefined ? '' : `${name}-hint`].filter(Boolean);
  const more = html`${described.length === 0 ? null : html` aria-describedby="${described.join(' ')}"`}${
    isWrong ? html` aria-invalid="true"` : null
  }${required ? html` required` : null}`;
  if (Array.isArray(input)) return selectOf(name, input as readonly Choice[], value, more);
  if (input === 'instant') {
    return html`<input
      id="${name}"
      name="${name}"
      type="datetime-local"
      step="any"
      value="${localForm(value)}"
      ${more}
    />`;
  }
  if (input === 'date') return html`<input id="${name}" name="${name}" type="date" value="${value}" ${more} />`;
  const isSecret = input === 'secret';
  const isCode = isSecret || input === 'code';
  return html`<input
    id="${name}"
    name="${name}"
    class="${isCode ? 'mono' : ''}"
    value="${isSecret ? '' : value}"
    autocomplete="off"
    spellcheck="false"
    dir="auto"
    ${more}
  />`;
}

function selectOf(name: string, choices: readonly Choice[], value: string, more: Html): Html {
  return html`<select id="${name}" name="${name}" ${more}>
    ${choices.map(
      (choice) =>
        html`<option value="${choice.value}" ${choice.value === value ? html` selected` : null}>
          ${choice.text}
        </option>`,
    )}
  </select>`;
}

const localInstant = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;

/**
 * Reads what browsers send for a date, with or without a time, as UTC. Leaves every other text as it is: an instant with an
 * offset is read as such, and the rest is refused by its rule.
 */
export function instantIn(text: string): string {
  const [, day, time = 'T00:00'] = localInstant.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}${time}${time.length === 6 ? ':00' : ''}Z`;
}

/** The value of a field for a date and a time, which has no offset. */
export function localForm(text: string): string {
  return text.replace(/(?::00(?:\.000)?)?Z$/, '');
}

export type FormReading<Values> =
  { readonly kind: 'read'; readonly values: Values } | { readonly kind: 'wrong'; readonly form: FilledForm };

/** Reads the fields of a form by the rules of their members. A field that is blank counts as left out. */
export function readForm<Values extends object>(
  fields: readonly Field[],
  rules: MemberRules<Values>,
  required: readonly (keyof Values & string)[],
  form: URLSearchParams,
): FormReading<Values> {
  const given = fields.map(({ name }) => [name, (form.get(name) ?? '').trim()] as const);
  const inputs = new Map(fields.map(({ name, input }) => [name, input]));
  const members = given
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, inputs.get(name) === 'instant' ? instantIn(text) : text] as const);
  const reading = readMembers(rules, required, Object.fromEntries(members), 'parse');
  if (reading.kind === 'read') return reading;
  return { kind: 'wrong', form: filledForm(fields, form, reading.mistakes) };
}

/** A form as it was filled in, with the mistakes that were found in it. */
export function filledForm(fields: readonly Field[], form: URLSearchParams, mistakes: readonly Mistake[]): FilledForm {
  return { given: Object.fromEntries(fields.map(({ name }) => [name, (form.get(name) ?? '').trim()])), mistakes };
}
