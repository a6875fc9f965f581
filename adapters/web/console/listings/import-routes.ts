import { escapedInTurns, html } from '../../markup/html.ts';
import { mistakesIn } from '../form/form-reading.ts';
import { shown, wrongForm, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { twoSteps } from '../frame/form-routes.ts';
import { csvField, importCheckPage, importedPage, importFormPage } from './import-page.ts';
import { importListingsPath } from './listing-list-page.ts';

/** Bytes that the form may have. */
const maxCsvLength = 1024 * 1024;

/** *Import a CSV*: a form, the report of a dry run, and the import. */
export function importRoutes({ importCsv }: ConsoleParts): readonly ConsoleRoute[] {
  return twoSteps({
    name: 'ImportListings',
    path: importListingsPath,
    access: 'admin:catalog',
    bodyLimit: maxCsvLength,
    ask: async ({ view }) => shown(importFormPage(view, html``)),
    answer: async ({ call, form, view }) => {
      const step = form.get('step');
      const typed = form.get('csv') ?? '';
      if (step === 'edit') return shown(importFormPage(view, await escapedInTurns(typed)));
      // Browsers send every line end as CRLF, those inside a cell too.
      const csv = typed.replaceAll('\r\n', '\n');
      if (csv.trim() === '') {
        const mistakes = mistakesIn([csvField], [{ member: 'csv', problem: 'is missing' }]);
        return wrongForm(importFormPage(view, await escapedInTurns(typed), mistakes));
      }
      const report = await importCsv(csv, step !== 'import', call);
      if (step === 'import') return shown(importedPage(report));
      return shown(importCheckPage(view, await escapedInTurns(csv), report));
    },
  });
}
