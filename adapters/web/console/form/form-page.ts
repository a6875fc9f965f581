import { html, type Html } from '../../markup/html.ts';
import { crumbs, type Crumb } from '../display/parts.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';

/** A page with one form. */
export interface FormPage {
  readonly path: readonly Crumb[];
  /** The name of the page in its path: "Issue", "Rotate". */
  readonly here: string;
  readonly title: string;
  /** The text about the consequences. */
  readonly text: Html | string;
  readonly action: string;
  readonly fields: Html;
  readonly button: string;
  readonly back: Crumb;
}

export function formPage(
  view: PageView,
  { path, here, title, text, action, fields, button, back }: FormPage,
): PageContent {
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(path, here)}
      <h1>${title}</h1>
      <p>${text}</p>
      ${postForm(
        view,
        action,
        html`${fields}
          <div class="buttons">
            <button class="button primary">${button}</button><a class="button" href="${back.href}">${back.text}</a>
          </div>`,
      )}
    </div>`,
  };
}
