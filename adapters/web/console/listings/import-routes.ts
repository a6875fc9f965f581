import { mistakesIn, proposed, typedIn } from '../form/form-reading.ts';
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
    ask: async ({ view }) => shown(importFormPage(view, proposed({}))),
    answer: async ({ call, form, view }) => {
      const step = form.get('step');
      if (step === 'edit') return shown(importFormPage(view, typedIn(form)));
      // Browsers send every line end as CRLF, those inside a cell too.
      const csv = (form.get('csv') ?? '').replaceAll('\r\n', '\n');
      if (csv.trim() === '') {
        const mistakes = mistakesIn([csvField], [{ member: 'csv', problem: 'is missing' }]);
        return wrongForm(importFormPage(view, typedIn(form, mistakes)));
      }
      const report = await importCsv(csv, step !== 'import', call);
      return shown(step === 'import' ? importedPage(report) : importCheckPage(view, csv, report));
    },
  });
}
