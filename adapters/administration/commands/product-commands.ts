import { identifierRule } from '../../../core/identifier.ts';
import { contactUrlRule, urlRule } from '../../../core/parsing/url-rules.ts';
import { booleanRule, displayNameRule, textRule, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { activateUrlForm, activateUrlRule } from '../../../core/product/activate-url.ts';
import {
  mailSubjectPattern,
  mailSubjectRule,
  mailTextPattern,
  mailTextRule,
  maxMailSubject,
  maxMailText,
} from '../../../core/product/product-mail.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { givenIn, optional, required, subject } from '../declaration/member.ts';
import { described, flag, instant, nullableText, objectOf, text } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const shown = [
  'id',
  'name',
  'createdAt',
  'downloadUrl',
  'supportUrl',
  'accountUrl',
  'activateUrl',
  'iconUrl',
  'mailKeys',
  'mailSubject',
  'mailText',
  'mailEnding',
] as const;
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

/** The links and the icon that buyers of a product are shown, as forms and requests have them. */
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
  activateUrl: {
    ...optional(null, '', activateUrlRule),
    schema: activateUrlForm,
    docs: "What opens the app with a license key: a link with a scheme of the app's own and `{key}`. Null if it is left out.",
    label: 'Link into the app',
    hint: 'Such as sketchpad://activate?key={key}. Where buyers see their key, a button opens the app with it.',
  },
  iconUrl: {
    ...optional(null, '', urlRule),
    docs: 'A square image for its buyers, on a host of `SITE_IMAGE_HOSTS`. Null if it is left out.',
    label: 'Icon',
    hint: 'The https address of a square PNG, at least 128 px wide: mail programs show no SVG. Without it the initial stands there.',
  },
};

/** The mails that buyers of a product get, and the text of the one with the key, as forms and requests have them. */
export const productMail = {
  mailKeys: {
    ...optional(null, '', booleanRule),
    docs: 'Whether buyers of a sale of Stripe get their key by mail. True if it is left out.',
    label: 'Mail the key to the buyer of a sale of Stripe',
    hint: 'Without it buyers get the key on the page after the payment alone.',
  },
  mailSubject: {
    ...optional(null, '', mailSubjectRule),
    schema: { type: 'string', maxLength: maxMailSubject, pattern: mailSubjectPattern, format: 'well-formed' },
    docs: 'The subject of the mail with the key. `{product}` and `{tier}` stand for the names. Null if it is left out.',
    label: 'Subject',
    hint: 'Without it: “Your {product} license key”. {product} and {tier} stand for the names.',
  },
  mailText: {
    ...optional(null, '', mailTextRule),
    schema: { type: 'string', maxLength: maxMailText, pattern: mailTextPattern, format: 'well-formed' },
    docs: 'What the mail says below the key, as plain text. `{product}` and `{tier}` stand for the names. Null if it is left out.',
    label: 'What to do with the key',
    hint: 'A plain text below the key. Without it: “Open {product}, and paste the key where it asks for one.” {product} and {tier} stand for the names.',
  },
  mailEnding: {
    ...optional(null, '', booleanRule),
    docs: 'Whether buyers of a sale of Stripe get a mail before their access ends by a cancellation or by its time. False if it is left out.',
    label: 'Mail the buyer of a sale of Stripe before access ends',
    hint: 'Once for each end, by a cancellation or by its time, as early as ENDING_SOON says. Leave it off if Stripe writes already.',
  },
};

const none = 'none';

/** A text as the command line changes it: `none` removes it. */
export function orNone(rule: ValueRule<string>): ValueRule<string> {
  const { brokenBy = () => null } = rule;
  return {
    ...textRule((given) => (given === none ? none : rule.parse(given)), `${rule.rule}; or ${none}`),
    brokenBy,
  };
}

const textOrNull = (given: string): string | null => (given === none ? null : given);

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
      activateUrl: described('What opens the app with a license key in place of `{key}`.', nullableText),
      iconUrl: described('A square image for its buyers.', nullableText),
      mailKeys: described('Whether buyers of a sale of Stripe get their key by mail.', flag),
      mailSubject: described('The subject of that mail; null for that of the service.', nullableText),
      mailText: described('What that mail says below the key; null for what the service says.', nullableText),
      mailEnding: described('Whether buyers of a sale of Stripe get a mail before their access ends.', flag),
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
      does: 'change the name of a product, the links and the icon that its buyers are shown, or the mails that they get',
      operation: null,
      members: {
        id: subject('<product>', 'the id of the product'),
        name: optional('--name <name>', 'another name', displayNameRule),
        downloadUrl: optional('--download-url <url>', 'where buyers download the product', orNone(urlRule)),
        supportUrl: optional('--support-url <url>', 'where buyers get help', orNone(contactUrlRule)),
        accountUrl: optional('--account-url <url>', 'where buyers manage what they pay', orNone(urlRule)),
        activateUrl: optional('--activate-url <url>', 'what opens the app with a license key', orNone(activateUrlRule)),
        iconUrl: optional('--icon-url <url>', 'a square image for its buyers', orNone(urlRule)),
        mailKeys: optional('--mail-keys <true|false>', 'whether buyers get the key of a sale by mail', booleanRule),
        mailSubject: optional('--mail-subject <text>', 'the subject of that mail', orNone(mailSubjectRule)),
        mailText: optional('--mail-text <text>', 'what it says below the key', orNone(mailTextRule)),
        mailEnding: optional(
          '--mail-ending <true|false>',
          'whether buyers get a mail before their access ends',
          booleanRule,
        ),
      },
      log: { changeProduct: ({ changed }, { id: productId }) => (changed ? { productId } : null) },
      run: async ({ findProduct, changeProduct }, { id, ...values }, call) => {
        const seen = await findProduct(id, call);
        if (seen === null) throw new Refusal('product_not_found');
        const { name, mailKeys, mailEnding, ...texts } = givenIn(values);
        const change = {
          ...(name !== undefined && { name }),
          ...(mailKeys !== undefined && { mailKeys }),
          ...(mailEnding !== undefined && { mailEnding }),
          ...Object.fromEntries(Object.entries(texts).map(([member, given]) => [member, textOrNull(given)])),
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
        summary: 'Add a product, or give it another name, other links, another icon and other mails.',
        description: 'Members that are left out become as in a new product: links and texts are removed.',
        request: {
          schema: 'ProductRequest',
          example: {
            name: 'Sketchpad',
            downloadUrl: 'https://sketchpad.example/download',
            supportUrl: 'mailto:help@sketchpad.example',
            accountUrl: 'https://sketchpad.example/account',
            activateUrl: 'sketchpad://activate?key={key}',
            iconUrl: 'https://cdn.example/sketchpad.png',
            mailText: 'Open {product}, choose Help, then Enter license, and paste the key.',
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
        ...productMail,
      },
      log: {
        putProduct: ({ outcome }, productId) =>
          outcome === 'unchanged' ? null : { command: `product ${outcome === 'added' ? 'add' : 'set'}`, productId },
      },
      run: async ({ putProduct }, { id, mailKeys, mailEnding, ...facts }, call) => {
        const given = {
          ...facts,
          mailKeys: mailKeys ?? plainFacts.mailKeys,
          mailEnding: mailEnding ?? plainFacts.mailEnding,
        };
        const { product, outcome } = await putProduct(id, given, call);
        return { data: only(product, shown), isNew: outcome === 'added' };
      },
    }),
  ],
};
