import type { Administration } from '../../../../core/administration/administration.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { productView } from './admin-views.ts';
import { productBody } from './bodies/admin-bodies.ts';
import { listParameters, pathParameter, products } from './docs/admin-docs.ts';
import { identifierIn, pageIn } from './query-parameters.ts';

export function productRows({ listProducts, putProduct }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'listProducts',
      method: 'GET',
      path: '/admin/products',
      access: 'admin:read',
      docs: {
        tag: products,
        summary: 'List products.',
        description: 'By id.',
        parameters: listParameters,
        success: { description: 'A page of products.', schema: 'ProductPage' },
        refusals: ['invalid_parameter'],
      },
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listProducts(page, request.call), productView);
      },
    },
    {
      id: 'putProduct',
      method: 'PUT',
      path: '/admin/products/:id',
      access: 'admin:access',
      body: 'json',
      docs: {
        tag: products,
        summary: 'Add a product, or rename it.',
        description: 'A known product keeps everything but its name.',
        parameters: [pathParameter('id', 'The id of the product, which the caller chooses.')],
        request: { schema: 'ProductRequest', example: { name: 'Sketchpad' } },
        success: { description: 'The product, which existed.', created: 'The new product.', schema: 'ProductAnswer' },
        refusals: ['invalid_parameter'],
      },
      answer: async (request) => {
        const id = identifierIn(request, 'id');
        const { name } = productBody.read(request.body);
        const { product, outcome } = await putProduct(id, name, request.call);
        return { status: outcome === 'added' ? 201 : 200, data: productView(product) };
      },
    },
  ];
}
