import { html, type Html } from '../../markup/html.ts';
import { crumbs, type Crumb } from '../display/parts.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';

/** The page with the form of a new key, or of a rotation. */
export interface KeyForm {
  readonly path: readonly Crumb[];
  /** "Issue", "Rotate". */
  readonly here: string;
  readonly title: string;
  /** What follows. */
  readonly effect: Html;
  readonly action: string;
  readonly fields: Html;
  readonly button: string;
  readonly back: Crumb;
}

export function keyFormPage(
  view: PageView,
  { path, here, title, effect, action, fields, button, back }: KeyForm,
): PageContent {
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(path, here)}
      <h1>${title}</h1>
      <p>${effect}</p>
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
