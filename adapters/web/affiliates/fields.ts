import { html, type Html } from '../markup/html.ts';

/** A field of a form, with its value. */
export interface TextField {
  /** Its name and its id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** More attributes of the control. */
  readonly more?: Html;
  readonly value: string;
  /** The error message; null for none. */
  readonly mistake: string | null;
}

/** A field for one line. */
export function lineField(field: TextField): Html {
  return fieldWith(field, (attributes) => html`<input ${attributes} value="${field.value}" />`);
}

/** A field whose control is drawn with these attributes. */
export function fieldWith({ name, label, hint, more, mistake }: TextField, control: (attributes: Html) => Html): Html {
  const described = [...(mistake === null ? [] : [`${name}-error`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  const attributes = html`id="${name}"
  name="${name}"${more ?? null}${described.length === 0 ? null : html` aria-describedby="${described.join(' ')}"`}${
    mistake === null ? null : html` aria-invalid="true"`
  }`;
  return html`<div class="field">
    <label for="${name}">${label}</label>${
      mistake === null ? null : html`<p class="error" id="${name}-error">${mistake}</p>`
    }${control(attributes)}${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}
