import type { Call } from '../call.ts';
import { cursorAt, invalidCursor, positionIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { caseKinds, type CasePlace, type StripeCase, type StripeCases } from './stripe-cases.port.ts';

const list = ['cases'] as const;

/** Lists the sales that need a person, the oldest case first. Refuses with `invalid_parameter` for another list's cursor. */
export type ListCases = (page: PageRequest, call: Call) => Promise<Page<StripeCase>>;

export function listCases(cases: Pick<StripeCases, 'page'>): ListCases {
  return async (page, call) => {
    const found = await cases.page(page.after === null ? null : placeIn(page.after), page.limit + 1, call);
    return pageOf(found, page, ({ since, id, kind }) => cursorAt(list, [String(since.getTime()), id, kind]));
  };
}

function placeIn(cursor: string): CasePlace {
  const [since, id, written] = positionIn(list, cursor);
  const kind = caseKinds.find((each) => each === written);
  if (id === undefined || kind === undefined || !/^\d{1,15}$/.test(since)) throw invalidCursor();
  return { since: new Date(Number(since)), id, kind };
}
