import { countOf, countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { crumbs, note } from '../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../display/view.ts';
import { fieldElement, noMistakes, type Field, type Mistakes } from '../form/fields.ts';
import { hiddenPictureText } from '../form/picture-remarks.ts';
import type { ImportError, ImportReport } from '../frame/console-parts.ts';
import { importListingsPath } from './listing-list-page.ts';
import { listingsPath } from './listing-state.ts';

/** Rejected lines that a page shows. */
const maxShown = 100;

/** Hosts of pictures that a page names. */
const maxHosts = 20;

/** The maximum length of an error message. The first line can have a thousand misspelt names. */
const maxErrorLength = 2000;

const path = [{ href: listingsPath, text: 'Listings' }];

export const csvField: Field = { name: 'csv', label: 'CSV', required: true };

function csvHint({ isLimited }: PageView): Html {
  const larger = html`; import a larger file on the server, with <span class="mono">latchkey listing import</span>`;
  return html`The first line names the columns:
    <span class="mono">slug,name,blurb,category,commissionPercent,compensationType,compensationLabel</span>, and more if
    you like. At most 1 MiB${isLimited ? null : larger}.`;
}

/** The form that takes a CSV, with what was typed. */
export function importFormPage(view: PageView, csv: Html, mistakes: Mistakes = noMistakes): PageContent {
  const state = { typed: () => '', mistakes };
  return {
    title: 'Import a CSV',
    main: html`<div class="confirm">
      ${crumbs(path, 'Import')}
      <h1>Import a CSV</h1>
      <p>
        Listings are added, or replaced where their slug is known. Nothing is changed before you have seen the report.
      </p>
      ${postForm(
        view,
        importListingsPath,
        html`${hidden('step', 'check')}
          ${fieldElement({ ...csvField, hint: csvHint(view), input: { table: csv } }, state)}
          <div class="buttons">
            <button class="button primary">Check it</button
            ><a class="button" href="${listingsPath}">Back to the listings</a>
          </div>`,
      )}
    </div>`,
  };
}

/** The report of the dry run, with the button that imports. */
export function importCheckPage(view: PageView, csv: Html, report: ImportReport): PageContent {
  const { imported } = report;
  const listings = countOf(imported, 'listing');
  const isVain = imported === 0;
  const title = isVain ? 'There is nothing to import' : 'Import these listings?';
  const heading = isVain
    ? 'No line can be imported. Nothing was changed.'
    : `${listings} will be added, or replaced by slug.`;
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(path, 'Import')}
      <h1>${title}</h1>
      ${note(isVain ? 'bad' : 'warn', heading, isVain ? null : leftOutText(report))} ${errorTable(report)}
      ${hiddenPictures(report)}
      ${postForm(
        view,
        importListingsPath,
        html`${hidden('csv', csv)}
          <div class="buttons">
            ${
              isVain
                ? null
                : html`<button class="button primary" name="step" value="import">Import ${listings}</button>`
            }<button class="button" name="step" value="edit">Change the CSV</button>
          </div>`,
      )}
    </div>`,
  };
}

/** The page about the result of an import. */
export function importedPage(report: ImportReport): PageContent {
  const { imported, isCut } = report;
  const heading = `${countOf(imported, 'listing')} ${imported === 1 ? 'was' : 'were'} imported`;
  return {
    title: heading,
    main: html`<div class="confirm">
      ${crumbs(path, 'Import')}
      <h1>${heading}</h1>
      ${
        isCut
          ? note(
              'bad',
              'The import was cut off.',
              html`<p>Import the same CSV again to complete it: what is stored stays.</p>`,
            )
          : leftOutText(report)
      }
      ${errorTable(report)} ${hiddenPictures(report)}
      <div class="buttons"><a class="button primary" href="${listingsPath}">See the listings</a></div>
    </div>`,
  };
}

function leftOutText({ failed }: ImportReport): Html | null {
  if (failed === 0) return null;
  return html`<p>${countOf(failed, 'line')} ${failed === 1 ? 'is' : 'are'} left out.</p>`;
}

function errorTable({ errors, failed }: ImportReport): Html | null {
  if (errors.length === 0) return null;
  const shown = errors.slice(0, maxShown);
  const columns = [
    { heading: 'Line', cell: ({ line }: ImportError) => String(line) },
    { heading: 'What is wrong', cell: ({ error }: ImportError) => excerptOf(error) },
  ];
  return html`<section class="section">
    <h2>Lines that are left out</h2>
    ${table('Lines that are left out', columns, shown)}
    ${failed > shown.length ? html`<p class="muted small">${countText(failed - shown.length)} more.</p>` : null}
  </section>`;
}

/** Names the hosts of pictures that the marketplace does not show. */
function hiddenPictures({ hiddenHosts }: ImportReport): Html | null {
  if (hiddenHosts.length === 0) return null;
  const more = hiddenHosts.length - maxHosts;
  return html`<section class="section">
    <h2>Pictures that will not be shown</h2>
    <ul class="consequences">
      ${hiddenHosts.slice(0, maxHosts).map((host) => html`<li>${hiddenPictureText(host)}</li>`)}
    </ul>
    ${more > 0 ? html`<p class="muted small">${countOf(more, 'more host')}.</p>` : null}
  </section>`;
}

function excerptOf(error: string): string {
  return error.length <= maxErrorLength ? error : `${error.slice(0, maxErrorLength)}…`;
}
