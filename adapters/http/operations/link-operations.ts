import { linkTimeRule } from '../../../core/buyer/buyer-link.ts';
import type { CreateLink, EndLinks } from '../../../core/buyer/manage-links.ts';
import { linkUrl } from '../../../core/buyer/support-link.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlements } from '../../../core/entitlement/merchant/entitlements.port.ts';
import { urlRule } from '../../../core/parsing/url-rules.ts';
import { ok } from '../answer.ts';
import { entitlementId } from './docs/entitlement-docs.ts';
import { exampleId } from './docs/examples.ts';
import { entitlements, type OperationDocs } from './docs/operation-docs.ts';
import type { AppKeyOperation } from './operation.ts';
import { memberOf, objectIn } from './validation.ts';
import { dataBody } from './views.ts';

const createDocs: OperationDocs = {
  tag: entitlements,
  summary: 'Make a link by which a buyer sees and changes the own entitlement.',
  description:
    'Send the buyer who has signed in at your shop to `url`: the page shows the license, and cancels, resumes or replaces the key without another sign-in. It works for `expires`, more than once, and ends with the app key. An entitlement has at most 20 links, beside those of lost keys: one more ends the oldest. A repeated request makes one more link.',
  parameters: [entitlementId],
  request: {
    schema: 'EntitlementLinkRequest',
    example: { expires: '1h', returnUrl: 'https://shop.example/account' },
  },
  success: {
    description: 'The link. Its address is a secret, which is shown only this once.',
    schema: 'EntitlementLinkAnswer',
    example: {
      success: true,
      data: {
        url: 'https://licenses.example/license/links/Zr3p1kq0oHn5wV7cX9b2m4L6s8T0yUaE1dGfJhKiQrs',
        expiresAt: '2026-07-18T13:00:00.000Z',
      },
      correlationId: exampleId,
    },
  },
  refusals: ['not_found', 'invalid_body', 'entitlement_not_found'],
};

const endDocs: OperationDocs = {
  tag: entitlements,
  summary: 'End every link to an entitlement.',
  description: 'Links of the seller’s support end as well. Repeating it changes nothing.',
  parameters: [entitlementId],
  success: {
    description: 'How many links have ended.',
    schema: 'EndedLinksAnswer',
    example: { success: true, data: { ended: 0 }, correlationId: exampleId },
  },
  refusals: ['not_found', 'entitlement_not_found'],
};

interface LinkUseCases {
  readonly entitlements: Pick<Entitlements, 'find'>;
  readonly createLink: CreateLink;
  readonly endLinks: EndLinks;
}

const shared = {
  path: '/api/app-entitlements/:id/links',
  caller: 'app',
  access: 'write:entitlements',
  crossOrigin: false,
  errors: 'standard',
} as const;

/** Links for buyers, by merchants' servers. `publicUrl` is the absolute URL of the service. */
export function linkOperations(useCases: LinkUseCases, publicUrl: () => string): readonly AppKeyOperation[] {
  const { createLink, endLinks } = useCases;
  return [
    {
      ...shared,
      id: 'createEntitlementLink',
      method: 'POST',
      body: 'optional json',
      docs: createDocs,
      handle: async ({ parameters: { id = '' }, appKey, body, call }) => {
        // No body counts as an empty object.
        const members = objectIn(body === undefined ? {} : body);
        const expires = memberOf(members, 'expires', linkTimeRule);
        const returnUrl = memberOf(members, 'returnUrl', urlRule);
        const find = (within: Call) => useCases.entitlements.find(id, appKey.productId, within);
        const made = { returnUrl, appKeyId: appKey.id, isForLostKeys: false };
        const { link, token } = await createLink({ find, expires, ...made }, call);
        const data = { url: linkUrl(publicUrl(), token), expiresAt: link.expiresAt.toISOString() };
        return { ...ok(dataBody(JSON.stringify(data), call.correlationId)), entitlementId: id };
      },
    },
    {
      ...shared,
      id: 'endEntitlementLinks',
      method: 'DELETE',
      body: 'ignored',
      docs: endDocs,
      handle: async ({ parameters: { id = '' }, appKey, call }) => {
        const find = (within: Call) => useCases.entitlements.find(id, appKey.productId, within);
        const ended = await endLinks(find, call);
        return { ...ok(dataBody(JSON.stringify({ ended }), call.correlationId)), entitlementId: id };
      },
    },
  ];
}
