import { identifierRule } from '../../../core/identifier.ts';
import { contactUrlRule, urlRule } from '../../../core/parsing/url-rules.ts';
import { displayNameRule, textRule, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { Refusal } from '../../../core/refusal.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { givenIn, optional, required, subject } from '../declaration/member.ts';
import { described, instant, nullableText, objectOf, text } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const shown = ['id', 'name', 'createdAt', 'downloadUrl', 'supportUrl', 'accountUrl'] as const;
const columns = ['id', 'name', 'createdAt'] as const;

/** The members of a new product. */
export const newProduct = {
  id: {
    ...required('--id <id>', 'the id of the product', identifierRule),
    label: 'Id',
    hint: 'Entitlements, app keys and your own servers name the product by it. It never changes.',
  },
  name: { ...required('--name <name>', 'the name of the product, for people', displayNameRule), label: 'Name' },
};

/** The links that buyers of a product are shown, as forms and requests have them. */
export const productLinks = {
  downloadUrl: {
    ...optional(null, '', urlRule),
    docs: 'Where buyers download the product. Null if it is left out.',
    label: 'Download page',
    hint: 'Where buyers download the product. Without it their pages have no such link.',
  },
  supportUrl: {
    ...optional(null, '', contactUrlRule),
    docs: 'Where buyers get help: an https URL, or `mailto:` and an address. Null if it is left out.',
    label: 'Help',
    hint: 'An https address, or mailto: and an e-mail address. Without it the help of the site stands in, if it has one.',
  },
  accountUrl: {
    ...optional(null, '', urlRule),
    docs: 'Where buyers manage what they pay. Null if it is left out.',
    label: 'Account page',
    hint: 'Where buyers sign in to change their payment or to cancel. Their license page leads there.',
  },
};

const none = 'none';

/** A link as the command line changes it: `none` removes it. */
export function orNone({ parse, rule }: ValueRule<string>): ValueRule<string> {
  return textRule((given) => (given === none ? none : parse(given)), `${rule}; or ${none}`);
}

const linkOrNull = (given: string): string | null => (given === none ? null : given);

export const productCommands: CommandGroup = {
  name: 'product',
  tag: { name: 'Products', description: 'What the merchant sells.' },
  schemas: {
    Product: objectOf({
      id: text,
      name: text,
      createdAt: instant,
      downloadUrl: described('Where buyers download the product.', nullableText),
      supportUrl: described('Where buyers get help.', nullableText),
      accountUrl: described('Where buyers manage what they pay.', nullableText),
    }),
  },
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
      columns,
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
      verb: 'set',
      does: 'change the name of a product, or the links that its buyers are shown',
      operation: null,
      members: {
        id: subject('<product>', 'the id of the product'),
        name: optional('--name <name>', 'another name', displayNameRule),
        downloadUrl: optional('--download-url <url>', 'where buyers download the product', orNone(urlRule)),
        supportUrl: optional('--support-url <url>', 'where buyers get help', orNone(contactUrlRule)),
        accountUrl: optional('--account-url <url>', 'where buyers manage what they pay', orNone(urlRule)),
      },
      log: { changeProduct: ({ changed }, { id: productId }) => (changed ? { productId } : null) },
      run: async ({ findProduct, changeProduct }, { id, ...values }, call) => {
        const seen = await findProduct(id, call);
        if (seen === null) throw new Refusal('product_not_found');
        const { downloadUrl, supportUrl, accountUrl, ...name } = givenIn(values);
        const change = {
          ...name,
          ...(downloadUrl !== undefined && { downloadUrl: linkOrNull(downloadUrl) }),
          ...(supportUrl !== undefined && { supportUrl: linkOrNull(supportUrl) }),
          ...(accountUrl !== undefined && { accountUrl: linkOrNull(accountUrl) }),
        };
        return { data: only((await changeProduct(seen, change, call)).product, shown) };
      },
    }),
    command({
      verb: null,
      does: '',
      operation: {
        id: 'putProduct',
        route: 'PUT /admin/products/:id',
        access: 'admin:access',
        summary: 'Add a product, or give it another name and other links.',
        description: 'Links that are left out are removed.',
        request: {
          schema: 'ProductRequest',
          example: {
            name: 'Sketchpad',
            downloadUrl: 'https://sketchpad.example/download',
            supportUrl: 'mailto:help@sketchpad.example',
            accountUrl: 'https://sketchpad.example/account',
          },
        },
        answer: { schema: 'ProductAnswer', description: 'The product, which existed.', created: 'The new product.' },
        refusals: ['limited_key'],
      },
      members: {
        id: {
          ...required(null, '', identifierRule),
          docs: 'The id of the product, which the caller chooses.',
          inPath: true,
        },
        name: newProduct.name,
        ...productLinks,
      },
      log: {
        putProduct: ({ outcome }, productId) =>
          outcome === 'unchanged' ? null : { command: `product ${outcome === 'added' ? 'add' : 'set'}`, productId },
      },
      run: async ({ putProduct }, { id, ...facts }, call) => {
        const { product, outcome } = await putProduct(id, facts, call);
        return { data: only(product, shown), isNew: outcome === 'added' };
      },
    }),
  ],
};
