import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';
import { headedPage, type HeadedPage } from '../display/headed-page.ts';
import { hidden, type PageContent } from '../display/view.ts';
import { fieldList, type Field, type FormState } from '../form/fields.ts';

/** From this number on a count is only a minimum. */
const maxCounted = 1000;

/** The number of items of a list to be counted, so that its page knows whether there are more. */
export const countedItems = maxCounted + 1;

/** "214", or "1,000+". */
export function sizeText(count: number): string {
  return countText(Math.min(count, maxCounted), count > maxCounted);
}

/** A choice of the items that a list shows, such as a state. */
export interface ListView {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

/** The frame that lists share. */
export interface ListPage extends Omit<HeadedPage, 'number'> {
  /** The number beside the heading; null if it is not counted. */
  readonly number: string | null;
  /** The note about the change that led here. */
  readonly done?: Html | null;
  readonly views?: { readonly label: string; readonly items: readonly ListView[] } | null;
  readonly filter: Html | null;
  /** The table, or the text without one. */
  readonly content: Html;
  /** The order in words, and other texts below the table; null without a table. */
  readonly foot: Html | string | null;
  readonly pages: Html | null;
}

export function listPage(page: ListPage): PageContent {
  const { done = null, views = null, filter, content, foot, pages } = page;
  return headedPage(
    page,
    html`${done}
      <div class="list">
        ${views === null ? null : viewLinks(views)} ${filter} ${content}
        ${
          foot === null && pages === null
            ? null
            : html`<div class="foot">
                <p>${foot}</p>
                ${pages}
              </div>`
        }
      </div>`,
  );
}

function viewLinks({ label, items }: NonNullable<ListPage['views']>): Html {
  return html`<nav class="views" aria-label="${label}">
    ${items.map(
      ({ href, text, isCurrent }) =>
        html`<a href="${href}" ${isCurrent ? html` aria-current="page"` : null}>${text}</a>`,
    )}
  </nav>`;
}

/** The address of a list with a filter. */
export function listHref(path: string, filter: URLSearchParams): string {
  return filter.size === 0 ? path : `${path}?${filter.toString()}`;
}

/** The views of a list, as values of a member of its filter; null for all of it. The rest of the filter stays. */
export function viewsOf(
  path: string,
  filter: URLSearchParams,
  member: string,
  texts: readonly (readonly [value: string | null, text: string])[],
): readonly ListView[] {
  return texts.map(([value, text]) => {
    const own = new URLSearchParams(filter);
    own.delete(member);
    if (value !== null) own.set(member, value);
    return { href: listHref(path, own), text, isCurrent: filter.get(member) === value };
  });
}

/** A form that filters a list. */
export interface FilterForm {
  readonly path: string;
  readonly fields: readonly Field[];
  readonly state: FormState;
  /** The values that stay although no field has them. */
  readonly kept?: Readonly<Record<string, string | null>>;
  readonly button: string;
  /** Where nothing of these fields is asked for; null if nothing is. */
  readonly clear: string | null;
}

export function filterForm({ path, fields, state, kept = {}, button, clear }: FilterForm): Html {
  return html`<form class="toolbar one" method="get" action="${path}">
    ${Object.entries(kept).flatMap(([name, value]) => (value === null ? [] : [hidden(name, value)]))}
    ${fieldList(fields, state)}
    <div class="buttons">
      <button class="button">${button}</button
      >${clear === null ? null : html`<a class="button quiet" href="${clear}">Clear</a>`}
    </div>
  </form>`;
}

/** The same, folded on a phone. */
export function foldedFilter(form: FilterForm): Html {
  const isOpen = form.clear !== null || form.state.mistakes.size > 0;
  return html`<details class="more fold" ${isOpen ? html` open` : null}>
    <summary>${icon('filter')}Filter</summary>
    ${filterForm(form)}
  </details>`;
}
