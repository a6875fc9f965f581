import { identifierRule } from '../../../core/identifier.ts';
import { displayNameRule } from '../../../core/parsing/value-rule.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { required } from '../declaration/member.ts';
import { instant, objectOf, text } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const shown = ['id', 'name', 'createdAt'] as const;

/** The members of a new product. */
export const newProduct = {
  id: {
    ...required('--id <id>', 'the id of the product', identifierRule),
    label: 'Id',
    hint: 'Entitlements, app keys and your own servers name the product by it. It never changes.',
  },
  name: { ...required('--name <name>', 'the name of the product, for people', displayNameRule), label: 'Name' },
};

export const productCommands: CommandGroup = {
  name: 'product',
  tag: { name: 'Products', description: 'What the merchant sells.' },
  schemas: { Product: objectOf({ id: text, name: text, createdAt: instant }) },
  commands: [
    list({
      does: 'list products',
      operation: {
        id: 'listProducts',
        route: 'GET /admin/products',
        access: 'admin:read',
        summary: 'List products.',
        description: 'By id.',
        answer: { schema: 'ProductPage', description: 'A page of products.' },
        refusals: [],
      },
      members: {},
      page: ({ listProducts }, _all, page, call) => listProducts(page, call),
      every: ({ everyProduct }, _all, newCall) => everyProduct(newCall),
      view: (product) => only(product, shown),
      columns: shown,
    }),
    command({
      verb: 'add',
      does: 'add a product, and create the store if it does not exist',
      operation: null,
      members: newProduct,
      createsStore: true,
      log: { addProduct: (_product, productId) => ({ productId }) },
      run: async ({ addProduct }, values, call) => ({
        data: only(await addProduct(values.id, values.name, call), shown),
      }),
    }),
    command({
      verb: null,
      does: '',
      operation: {
        id: 'putProduct',
        route: 'PUT /admin/products/:id',
        access: 'admin:access',
        summary: 'Add a product, or rename it.',
        description: 'A known product keeps everything but its name.',
        request: { schema: 'ProductRequest', example: { name: 'Sketchpad' } },
        answer: { schema: 'ProductAnswer', description: 'The product, which existed.', created: 'The new product.' },
        refusals: [],
      },
      members: {
        id: {
          ...required(null, '', identifierRule),
          docs: 'The id of the product, which the caller chooses.',
          inPath: true,
        },
        name: newProduct.name,
      },
      log: {
        putProduct: ({ outcome }, productId) =>
          outcome === 'unchanged' ? null : { command: `product ${outcome === 'added' ? 'add' : 'rename'}`, productId },
      },
      run: async ({ putProduct }, values, call) => {
        const { product, outcome } = await putProduct(values.id, values.name, call);
        return { data: only(product, shown), isNew: outcome === 'added' };
      },
    }),
  ],
};
