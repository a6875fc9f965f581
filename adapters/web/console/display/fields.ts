import { html, type Html } from '../../markup/html.ts';

/** The texts of a form, as they were typed or as they are proposed. */
export type Typed = (name: string) => string;

/** What is wrong with the fields of a form, by name. */
export type Mistakes = ReadonlyMap<string, string>;

export const noMistakes: Mistakes = new Map();

/** What the fields of one form share. */
export interface FormState {
  readonly typed: Typed;
  readonly mistakes: Mistakes;
}

/** A field: its name in the form, its label, and what helps to fill it in. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | Html;
}

/** A field of one line. `more` has further attributes. */
export function textField({ typed, mistakes }: FormState, field: Field, more: Html | null = null): Html {
  const { name } = field;
  return around(
    mistakes,
    field,
    (described) => html`<input id="${name}" name="${name}" value="${typed(name)}" ${more}${described} />`,
  );
}

/** A field of several lines. A line feed comes first, because the parser of HTML drops one. */
export function textArea({ typed, mistakes }: FormState, field: Field, more: Html | null = null): Html {
  const { name } = field;
  return around(
    mistakes,
    field,
    (described) => html`<textarea id="${name}" name="${name}" ${more}${described}>${'\n'}${typed(name)}</textarea>`,
  );
}

/** A choice among values, each with its text. */
export function selectField(
  { typed, mistakes }: FormState,
  field: Field,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  const { name } = field;
  const chosen = typed(name);
  const options = choices.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? html` selected` : null}>${text}</option>`,
  );
  return around(
    mistakes,
    field,
    (described) =>
      html`<select id="${name}" name="${name}" ${described}>
        ${options}
      </select>`,
  );
}

/** A box that is ticked or not. */
export function checkField({ typed, mistakes }: FormState, { name, label, hint }: Field): Html {
  const { described, below, mistake } = descriptions(mistakes, { name, label, ...(hint !== undefined && { hint }) });
  return html`<div class="field">
    ${mistake}
    <div class="check">
      <input
        id="${name}"
        name="${name}"
        type="checkbox"
        value="true"
        ${typed(name) === 'true' ? html` checked` : null}${described}
      /><label for="${name}">${label}</label>
    </div>
    ${below}
  </div>`;
}

/** Boxes of one name, of which several may be ticked. `typed` has the values with spaces between them. */
export function checkFields(
  { typed, mistakes }: FormState,
  { name, label, hint }: Field,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  const chosen = typed(name).split(' ');
  const { described, below, mistake } = descriptions(mistakes, { name, label, ...(hint !== undefined && { hint }) });
  return html`<fieldset class="field" ${described}>
    <legend class="label">${label}</legend>
    ${mistake}
    ${choices.map(
      ([value, text]) =>
        html`<div class="check">
          <input
            id="${name}-${value}"
            name="${name}"
            type="checkbox"
            value="${value}"
            ${chosen.includes(value) ? html` checked` : null}
          /><label for="${name}-${value}">${text}</label>
        </div>`,
    )}
    ${below}
  </fieldset>`;
}

function around(mistakes: Mistakes, field: Field, control: (described: Html | null) => Html): Html {
  const { described, below, mistake } = descriptions(mistakes, field);
  return html`<div class="field">
    <label for="${field.name}">${field.label}</label>${mistake}${control(described)}${below}
  </div>`;
}

function descriptions(
  mistakes: Mistakes,
  { name, hint }: Field,
): { readonly described: Html | null; readonly below: Html | null; readonly mistake: Html | null } {
  const wrong = mistakes.get(name);
  const ids = [...(wrong === undefined ? [] : [`${name}-error`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  const by = ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`;
  const invalid = wrong === undefined ? null : html` aria-invalid="true"`;
  return {
    described: by === null && invalid === null ? null : html`${by}${invalid}`,
    below: hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`,
    mistake: wrong === undefined ? null : html`<p class="error" id="${name}-error">${wrong}</p>`,
  };
}
