import type { Administration } from '../../../../core/administration/administration.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { priceView } from './admin-views.ts';
import { priceBody } from './bodies/admin-bodies.ts';
import { listParameters, pathParameter, prices } from './docs/admin-docs.ts';
import { identifierIn, pageIn } from './query-parameters.ts';

const price = pathParameter('price', 'The id of the price at Stripe.');

export function priceRows({ listPrices, mapPrice, unmapPrice }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'listPrices',
      method: 'GET',
      path: '/admin/stripe/prices',
      access: 'admin:read',
      docs: {
        tag: prices,
        summary: 'List what the prices of Stripe sell.',
        description: 'By price.',
        parameters: listParameters,
        success: { description: 'A page of prices.', schema: 'PricePage' },
        refusals: ['invalid_parameter'],
      },
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listPrices(page, request.call), priceView);
      },
    },
    {
      id: 'putPrice',
      method: 'PUT',
      path: '/admin/stripe/prices/:price',
      access: 'admin:catalog',
      body: 'json',
      docs: {
        tag: prices,
        summary: 'Say what a price of Stripe sells.',
        description:
          'Replaces what the price sold before. Entitlements that it has granted follow with the next event of their subscriptions, unless the product differs.',
        parameters: [price],
        request: {
          schema: 'PriceRequest',
          example: { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' },
        },
        success: { description: 'The price, which was known.', created: 'The new price.', schema: 'PriceAnswer' },
        refusals: ['invalid_parameter', 'product_not_found'],
      },
      answer: async (request) => {
        const written = { ...priceBody.read(request.body), price: identifierIn(request, 'price') };
        const { mapping, outcome } = await mapPrice(written, request.call);
        return { status: outcome === 'added' ? 201 : 200, data: priceView(mapping) };
      },
    },
    {
      id: 'deletePrice',
      method: 'DELETE',
      path: '/admin/stripe/prices/:price',
      access: 'admin:catalog',
      docs: {
        tag: prices,
        summary: 'Let a price of Stripe sell nothing.',
        description: 'What it has granted stays. Removing a mapping that does not exist succeeds.',
        parameters: [price],
        success: { description: 'How many prices there were.', schema: 'DeletionAnswer' },
        refusals: ['invalid_parameter'],
      },
      answer: async (request) => {
        const removed = await unmapPrice(identifierIn(request, 'price'), request.call);
        return { data: { deleted: removed ? 1 : 0 } };
      },
    },
  ];
}
