import type { Call } from '../../../core/call.ts';
import { emailAddressRule, isDeliverable } from '../../../core/waitlist/sign-up.ts';
import type { AnswerWith } from '../buyers/license-requests.ts';
import { answerWith, type BuyerRoute, type BuyersParts } from '../buyers/license-routes.ts';
import { buyersRefusalPage } from '../buyers/refusal-page.ts';
import { lostPath } from '../markup/layout.ts';
import { noStore, type PageAnswer } from '../page/page.ts';
import { isSameOrigin } from '../page/same-origin.ts';
import { lostPage, lostSentPage } from './lost-pages.ts';

/** The use cases of the page for lost keys. */
export interface LostKeysPages {
  /**
   * Takes the request of somebody who has lost the keys. It is counted, and nothing is looked up before it returns. Refuses
   * with `rate_limited`.
   */
  readonly ask: (email: string, call: Call) => Promise<void>;
  /** The address that the mails come from. */
  readonly from: string;
}

const sentPath = `${lostPath}/sent`;

/**
 * Fields of pages with an address that everybody may know. The referrer may be sent to the page itself, because it makes the
 * `Origin` of its form truthful.
 */
const unlisted = ['X-Robots-Tag', 'noindex', 'Cross-Origin-Opener-Policy', 'same-origin'] as const;

function answerOf(parts: BuyersParts): AnswerWith {
  const answer = answerWith(parts);
  return (page, status, error) => ({ ...answer(page, status, error), headers: unlisted });
}

/** `/license/lost`: mails what was bought with an address. Its answers are alike for known and unknown addresses. */
export function lostRoutes(
  parts: BuyersParts,
  { ask, from }: LostKeysPages,
  baseUrl: () => string,
): readonly BuyerRoute[] {
  const { site } = parts;
  const answer = answerOf(parts);
  return [
    { id: 'askForAddress', method: 'GET', path: lostPath, handle: async () => answer(lostPage(site, null)) },
    { id: 'showLostSent', method: 'GET', path: sentPath, handle: async () => answer(lostSentPage(site, from)) },
    {
      id: 'mailLostKeys',
      method: 'POST',
      path: lostPath,
      handle: async ({ form, call, header, admitLostKeys }) => {
        if (!isSameOrigin(header, baseUrl())) return refusedAsForeign(parts, call);
        const email = (form.get('email') ?? '').trim();
        if (emailAddressRule.parse(email) === null || !isDeliverable(email)) {
          return answer(lostPage(site, { typed: email }), 400, 'invalid_email');
        }
        await admitLostKeys();
        await ask(email, call);
        const location = site.href(sentPath);
        return { status: 303, content: null, cacheControl: noStore, headers: ['Location', location, ...unlisted] };
      },
    },
  ];
}

function refusedAsForeign(parts: BuyersParts, { correlationId }: Call): PageAnswer {
  const code = 'foreign_origin';
  return answerOf(parts)(buyersRefusalPage(parts.site, { status: 403, code, correlationId }, true), 403, code);
}
