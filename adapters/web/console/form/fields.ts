import { asWritten, html, type Html } from '../../markup/html.ts';
import { localForm } from './local-instants.ts';

/** The texts of a form, as they were typed or as they are proposed. */
export type Typed = (name: string) => string;

/** The mistakes in the fields of a form, by name. */
export type Mistakes = ReadonlyMap<string, string>;

export const noMistakes: Mistakes = new Map();

/** A form as it was filled in, and the mistakes in it. */
export interface FormState {
  readonly typed: Typed;
  readonly mistakes: Mistakes;
  /** The remarks about fields, by name. Nothing is refused for them. */
  readonly remarks?: ReadonlyMap<string, Html>;
}

export type Choice = readonly [value: string, text: string];

/**
 * A control that takes one text. Without a name it is a line; a secret that was typed is not sent back. A table brings
 * its text.
 */
type Line =
  | 'code'
  | 'secret'
  | 'url'
  | 'search'
  | 'number'
  | 'instant'
  | 'date'
  | 'lines'
  | { readonly table: Html }
  | { readonly one: readonly Choice[] }
  | undefined;

/** A field of a form. */
export interface Field {
  /** The member that it gives, which is its name and its id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | Html;
  readonly input?: Line | 'check' | { readonly several: readonly Choice[] };
  readonly required?: boolean;
  /** Whether its label says that it is required: in a form where most fields may stay empty. */
  readonly isMarked?: boolean;
  readonly maxLength?: number;
  /** The height of an area for several lines. */
  readonly rows?: number;
  /** The id of a list of proposals. */
  readonly list?: string;
}

/** The values that a field proposes, under the id that it names as `list`. */
export function proposals(id: string, values: readonly string[]): Html {
  return html`<datalist id="${id}">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
}

/** The fields of a form, with the texts that were typed and the mistakes. */
export function fieldList(fields: readonly Field[], state: FormState): Html {
  return html`${fields.map((field) => fieldElement(field, state))}`;
}

export function fieldElement(field: Field, { typed, mistakes, remarks }: FormState): Html {
  const { name, label, hint, input, isMarked = false } = field;
  const wrong = mistakes.get(name);
  const mistake = wrong === undefined ? null : html`<p class="error" id="${name}-error">${wrong}</p>`;
  const below = hint === undefined ? null : html`<p class="hint" id="${name}-hint" dir="auto">${hint}</p>`;
  const remark = wrong === undefined ? remarks?.get(name) : undefined;
  const more = attributesOf(field, { isWrong: wrong !== undefined, hasRemark: remark !== undefined });
  const value = typed(name);
  if (typeof input === 'object' && 'several' in input) {
    return html`<fieldset class="field" ${more}>
      <legend class="label">${label}</legend>
      ${mistake} ${input.several.map((choice) => boxOf(name, choice, value.split(' ')))} ${below}
    </fieldset>`;
  }
  if (input === 'check') {
    return html`<div class="field">
      ${mistake}
      <div class="check">
        <input
          id="${name}"
          name="${name}"
          type="checkbox"
          value="true"
          ${value === 'true' ? html` checked` : null}${more}
        />
        <label for="${name}">${label}</label>
      </div>
      ${below}
    </div>`;
  }
  return html`<div class="field">
    <label for="${name}"
      >${label}${isMarked ? html` <span class="required" aria-hidden="true">required</span>` : null}</label
    >${mistake}${control(name, input, value, more)}${below}${
      remark === undefined ? null : html`<p class="error" id="${name}-error">${remark}</p>`
    }
  </div>`;
}

function attributesOf(
  { name, hint, input, required = false, maxLength, rows, list }: Field,
  { isWrong, hasRemark }: { readonly isWrong: boolean; readonly hasRemark: boolean },
): Html {
  const described = [
    ...(isWrong ? [`${name}-error`] : []),
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(hasRemark ? [`${name}-error`] : []),
  ];
  const by = described.join(' ');
  const isGroup = typeof input === 'object' && 'several' in input;
  return html`${by === '' ? null : html` aria-describedby="${by}"`}${isWrong ? html` aria-invalid="true"` : null}${
    required && !isGroup ? html` required` : null
  }${maxLength === undefined ? null : html` maxlength="${maxLength}"`}${rows === undefined ? null : html` rows="${rows}"`}${list === undefined ? null : html` list="${list}"`}`;
}

/** The control of a field that is no box. */
function control(name: string, input: Line, value: string, more: Html): Html {
  if (typeof input === 'object') {
    return 'one' in input ? selectOf(name, input.one, value, more) : tableArea(name, input.table, more);
  }
  switch (input) {
    case 'lines':
      // A line feed comes first, because the parser of HTML drops one.
      return html`<textarea id="${name}" name="${name}" dir="auto" ${more}>${'\n'}${asWritten(value)}</textarea>`;
    case 'instant':
      return html`<input
        id="${name}"
        name="${name}"
        value="${localForm(value)}"
        type="datetime-local"
        step="any"
        ${more}
      />`;
    case 'date':
      return html`<input id="${name}" name="${name}" value="${value}" type="date" ${more} />`;
    case 'url':
      return html`<input id="${name}" name="${name}" value="${value}" type="url" autocomplete="off" ${more} />`;
    case 'search':
      return html`<input id="${name}" name="${name}" value="${value}" type="search" autocomplete="off" ${more} />`;
    case 'number':
      return html`<input
        id="${name}"
        name="${name}"
        value="${value}"
        inputmode="decimal"
        autocomplete="off"
        ${more}
      />`;
    case 'code':
      return codeInput(name, value, more);
    case 'secret':
      return codeInput(name, '', more);
    case undefined:
      return html`<input id="${name}" name="${name}" value="${value}" autocomplete="off" dir="auto" ${more} />`;
  }
}

function tableArea(name: string, text: Html, more: Html): Html {
  return html`<textarea id="${name}" name="${name}" rows="12" class="mono" spellcheck="false" ${more}>
${'\n'}${text}</textarea>`;
}

function codeInput(name: string, value: string, more: Html): Html {
  return html`<input
    id="${name}"
    name="${name}"
    value="${value}"
    class="mono"
    autocomplete="off"
    spellcheck="false"
    dir="auto"
    ${more}
  />`;
}

function selectOf(name: string, choices: readonly Choice[], chosen: string, more: Html): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? html` selected` : null}>${text}</option>`,
  );
  return html`<select id="${name}" name="${name}" ${more}>
    ${options}
  </select>`;
}

function boxOf(name: string, [value, text]: Choice, chosen: readonly string[]): Html {
  const id = `${name}-${value}`;
  return html`<div class="check">
    <input
      id="${id}"
      name="${name}"
      type="checkbox"
      value="${value}"
      ${chosen.includes(value) ? html` checked` : null}
    /><label for="${id}">${text}</label>
  </div>`;
}
