import { handleRule } from '../../../../core/affiliate/affiliate.ts';
import type { ChangedStatement, ShownLine } from '../../../../core/affiliate/closing/manage-statements.ts';
import { monthPattern, monthRule } from '../../../../core/affiliate/statement/month.ts';
import { paidTextRule, statementStates, type Statement } from '../../../../core/affiliate/statement/statement.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { command, list, type CommandGroup } from '../../declaration/command.ts';
import { optional, required, subject } from '../../declaration/member.ts';
import {
  count,
  described,
  enumOf,
  flag,
  instant,
  lineWithout,
  listOf,
  named,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../../declaration/schema-parts.ts';
import { only } from '../../declaration/view.ts';
import { handle } from '../affiliate-commands.ts';
import { statementView } from './statement-view.ts';

const id = subject('<statement>', 'the id of the statement');

const monthSchema = { type: 'string', pattern: monthPattern };
const paidSchema = lineWithout('', 100);

const product = optional('--product <id>', 'only of a product', identifierRule);
const affiliate = { ...optional('--affiliate <handle>', 'only of an affiliate', handleRule), schema: handle.schema };

/** The members of a closing. The labels are for forms. */
export const closingMembers = {
  month: {
    ...required('--month <month>', 'the month, by UTC, such as 2026-11', monthRule),
    schema: monthSchema,
    label: 'Month',
    hint: 'In UTC, such as 2026-11.',
  },
  product: { ...product, label: 'Product', hint: 'Empty: all.' },
  handle: affiliate,
};

/** The members of the record of a payment. The labels are for forms. */
export const paymentMembers = {
  method: {
    ...required('--method <text>', 'how it was paid, such as paypal', paidTextRule),
    schema: paidSchema,
    label: 'Method',
    hint: 'Such as PayPal.',
  },
  reference: {
    ...required('--reference <text>', 'what the payment is called there', paidTextRule),
    schema: paidSchema,
    label: 'Reference',
    hint: 'What the payment is called there.',
  },
  at: {
    ...optional('--at <instant>', 'when it was paid (default: now)', instantRule),
    docs: 'When it was paid, not later than now. Default: now.',
    label: 'When, in UTC',
    hint: 'Empty: now.',
  },
};

const lineView = (line: ShownLine) => only(line, ['sale', 'from', 'to', 'amount']);

/** The outcome of a command about one statement. People are shown a line for each member of its payment. */
function outcomeOf(statement: Statement) {
  const data = statementView(statement);
  const { paid, ...facts } = data;
  return {
    data,
    facts: {
      ...facts,
      paidAt: paid?.at ?? null,
      paidMethod: paid?.method ?? null,
      paidReference: paid?.reference ?? null,
    },
  };
}

/** The facts of a change for the log. They do not say how it was paid. */
function logged({ statement: { id: statementId, handle: of, productId, revision }, changed }: ChangedStatement) {
  return changed ? { statementId, handle: of, productId, revision } : null;
}

const amount = { type: 'integer' };

const statementMembers = {
  id: text,
  productId: text,
  handle: text,
  currency: described('Three lowercase letters, such as `usd`.', text),
  number: described('Counts the statements of the affiliate for the product and the currency from 1.', {
    type: 'integer',
    minimum: 1,
  }),
  month: described('By UTC, such as `2026-11`.', text),
  state: described('`carried`: the balance is below 0. `settled`: it is 0.', enumOf(statementStates)),
  closedAt: instant,
  by: described('Who closed it.', text),
  lineCount: count,
  opening: described('The balance of the statement before it, if that is below 0; else 0.', amount),
  total: described('The sum of the lines.', amount),
  balance: described('The opening and the total, in minor units.', amount),
  paid: orNull(objectOf({ at: instant, method: text, reference: text })),
};

/** The columns of a table of statements. */
export const statementColumns = ['id', 'handle', 'productId', 'month', 'currency', 'balance', 'state'] as const;

/** The commands about statements. Closing and the export are written by hand for the command line. */
export const statementCommands: CommandGroup = {
  name: 'statement',
  tag: { name: 'Statements', description: 'What affiliates are owed, by month. A statement never changes.' },
  schemas: {
    Statement: objectOf(statementMembers),
    ShownStatement: objectOf({
      ...statementMembers,
      affiliate: orNull(
        described('Whom it is owed to, as she is now. Null if the caller does not know the affiliate.', {
          ...objectOf({ handle: text, name: text, email: nullableText, payTo: nullableText }),
        }),
      ),
    }),
    ClosedStatements: objectOf({
      closed: listOf(named('Statement')),
      more: described('Whether there may be others: repeat the request.', flag),
    }),
  },
  commands: [
    command({
      verb: null,
      does: '',
      operation: {
        id: 'closeStatements',
        route: 'POST /admin/statements/close',
        access: 'admin:affiliates',
        summary: 'Close a month.',
        description:
          'Makes a statement for each affiliate, product and currency that has a line, at most 100. What is closed never changes; what becomes known later is in the next month. Repeated, it closes what is left, and then nothing.',
        request: { schema: 'ClosingRequest', example: { month: '2026-11' } },
        answer: { schema: 'ClosedStatementsAnswer', description: 'The new statements.' },
        refusals: ['month_not_over', 'clock_not_trusted', 'changed_meanwhile'],
      },
      members: closingMembers,
      run: async ({ closeStatements }, { month, product: productId, handle: of }, call) => {
        const { closed, more } = await closeStatements({ month, productId, handle: of }, call);
        return { data: { closed: closed.map(statementView), more } };
      },
    }),
    list({
      does: 'list statements, the newest month first',
      operation: {
        id: 'listStatements',
        route: 'GET /admin/statements',
        access: 'admin:affiliates',
        summary: 'List statements.',
        description: 'The newest month first, then by affiliate, product and currency.',
        answer: { schema: 'StatementPage', description: 'A page of statements.' },
        refusals: [],
      },
      members: {
        product,
        handle: affiliate,
        month: { ...optional('--month <month>', 'only of a month', monthRule), schema: monthSchema },
        state: {
          ...optional(
            '--state <state>',
            'only those that are carried, settled, to_pay or paid',
            oneOf(statementStates),
          ),
          schema: enumOf(statementStates),
        },
      },
      page: ({ listStatements }, { product: productId, ...filter }, page, call) =>
        listStatements({ ...filter, productId }, page, call),
      every: ({ everyStatement }, { product: productId, ...filter }, newCall) =>
        everyStatement({ ...filter, productId }, newCall),
      view: statementView,
      columns: statementColumns,
    }),
    command({
      verb: 'show',
      does: 'show a statement, and where to pay',
      operation: {
        id: 'showStatement',
        route: 'GET /admin/statements/:id',
        access: 'admin:affiliates',
        summary: 'Read a statement.',
        description: 'With whom it is owed to, and where to pay, as of now.',
        answer: { schema: 'ShownStatementAnswer', description: 'The statement.' },
        refusals: ['statement_not_found'],
      },
      members: { id },
      run: async ({ showStatement }, values, call) => {
        const { statement, affiliate: owed } = await showStatement(values.id, call);
        const outcome = outcomeOf(statement);
        return {
          data: { ...outcome.data, affiliate: owed && only(owed, ['handle', 'name', 'email', 'payTo']) },
          facts: {
            ...outcome.facts,
            affiliateName: owed?.name ?? null,
            affiliateEmail: owed?.email ?? null,
            affiliatePayTo: owed?.payTo ?? null,
          },
        };
      },
    }),
    command({
      verb: 'paid',
      does: 'record that a statement was paid; Latchkey moves no money',
      operation: {
        id: 'payStatement',
        route: 'POST /admin/statements/:id/paid',
        access: 'admin:affiliates',
        summary: 'Record that a statement was paid.',
        description: 'A record, no payment. The same again changes nothing.',
        request: { schema: 'StatementPayment', example: { method: 'paypal', reference: '7XK12345' } },
        answer: { schema: 'StatementAnswer', description: 'The statement.' },
        refusals: ['statement_not_found', 'statement_paid', 'nothing_to_pay', 'changed_meanwhile'],
      },
      members: { id, ...paymentMembers },
      log: { payStatement: logged },
      run: async ({ payStatement }, { id: paid, ...payment }, call) =>
        outcomeOf((await payStatement(paid, payment, call)).statement),
    }),
    command({
      verb: 'unpaid',
      does: 'take the record that a statement was paid away',
      operation: {
        id: 'unpayStatement',
        route: 'POST /admin/statements/:id/unpaid',
        access: 'admin:affiliates',
        summary: 'Take the record that a statement was paid away.',
        description: 'Of one without it, it changes nothing.',
        answer: { schema: 'StatementAnswer', description: 'The statement.' },
        refusals: ['statement_not_found', 'changed_meanwhile'],
      },
      members: { id },
      log: { unpayStatement: logged },
      run: async ({ unpayStatement }, values, call) => outcomeOf((await unpayStatement(values.id, call)).statement),
    }),
  ],
};

/** The lines of statements. The command line exports them. */
export const statementLineCommands: CommandGroup = {
  name: 'statement',
  tag: { name: 'Statement lines', description: 'What a statement says of each sale.' },
  schemas: {
    StatementLine: objectOf({
      sale: described('The name of the sale, which is not that of its entitlement.', text),
      from: described('What statements before had of it, in minor units.', amount),
      to: described('What was due when the statement was closed.', amount),
      amount: described('`to` minus `from`.', amount),
    }),
  },
  commands: [
    list({
      verb: null,
      does: '',
      operation: {
        id: 'listStatementLines',
        route: 'GET /admin/statements/:id/lines',
        access: 'admin:affiliates',
        summary: 'List the lines of a statement.',
        description: 'By the name of the sale.',
        answer: { schema: 'StatementLinePage', description: 'A page of lines.' },
        refusals: ['statement_not_found'],
      },
      members: { id },
      page: ({ listStatementLines }, values, page, call) => listStatementLines(values.id, page, call),
      view: lineView,
    }),
  ],
};
