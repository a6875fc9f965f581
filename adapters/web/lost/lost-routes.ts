import type { Call } from '../../../core/call.ts';
import { emailAddressRule, isDeliverable } from '../../../core/waitlist/sign-up.ts';
import type { AnswerWith } from '../buyers/license-requests.ts';
import { answerWith, type BuyerRequest, type BuyerRoute, type BuyersParts } from '../buyers/license-routes.ts';
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
  readonly ask: (email: string, call: Call, listing?: string | null) => Promise<void>;
  /** The address that the mails come from. */
  readonly from: string;
}

const sentPath = `${lostPath}/sent`;

/**
 * Fields of pages with an address that everybody may know. The referrer may be sent to the page itself, because it makes the
 * `Origin` of its form truthful.
 */
export const unlisted = ['X-Robots-Tag', 'noindex', 'Cross-Origin-Opener-Policy', 'same-origin'] as const;

function answerOf(parts: BuyersParts): AnswerWith {
  const answer = answerWith(parts);
  return (page, status, error) => ({ ...answer(page, status, error), headers: unlisted });
}

/** `/license/lost`: mails the licenses of an address. Its answers are alike for known and unknown addresses. */
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
      handle: (request) =>
        answerAddress(request, {
          what: 'lost keys',
          ask,
          baseUrl: baseUrl(),
          location: site.href(sentPath),
          foreign: () => refusedAsForeign(parts, request.call),
          wrong: (typed) => answer(lostPage(site, { typed }), 400, 'invalid_email'),
        }),
    },
  ];
}

/** A form that asks for the address to which something is mailed. */
export interface AddressForm extends Pick<LostKeysPages, 'ask'> {
  readonly what: Parameters<BuyerRequest['admitAskedMail']>[0];
  readonly baseUrl: string;
  /** Where it leads to, for known and unknown addresses. */
  readonly location: string;
  /** Answers a form of another site, and one with a text that is no address. */
  readonly foreign: () => PageAnswer;
  readonly wrong: (typed: string) => PageAnswer;
  /** The listing that an affiliate came from. */
  readonly listing?: string | null;
}

/** Takes the address of such a form. Its answers are alike for known and unknown addresses. */
export async function answerAddress(
  { form, call, header, admitAskedMail }: BuyerRequest,
  { what, ask, baseUrl, location, foreign, wrong, listing = null }: AddressForm,
): Promise<PageAnswer> {
  if (!isSameOrigin(header, baseUrl)) return foreign();
  const email = (form.get('email') ?? '').trim();
  if (emailAddressRule.parse(email) === null || !isDeliverable(email)) return wrong(email);
  await admitAskedMail(what);
  await ask(email, call, listing);
  return { status: 303, content: null, cacheControl: noStore, headers: ['Location', location, ...unlisted] };
}

function refusedAsForeign(parts: BuyersParts, { correlationId }: Call): PageAnswer {
  const code = 'foreign_origin';
  return answerOf(parts)(buyersRefusalPage(parts.site, { status: 403, code, correlationId }, true), 403, code);
}
