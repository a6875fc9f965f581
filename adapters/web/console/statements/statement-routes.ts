import type { Administration } from '../../../../core/administration/administration.ts';
import { foldedHandle } from '../../../../core/affiliate/affiliate.ts';
import type { OpenMonth } from '../../../../core/affiliate/closing/close-statements.ts';
import type { StatementShown } from '../../../../core/affiliate/closing/manage-statements.ts';
import { statementCsv } from '../../../../core/affiliate/closing/statement-csv.ts';
import { isOver, lastMonthOver, monthRule, type Month } from '../../../../core/affiliate/statement/month.ts';
import { statementStates, stateOf } from '../../../../core/affiliate/statement/statement.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { closingMembers, paymentMembers } from '../../../administration/commands/statement/statement-commands.ts';
import { monthText } from '../../affiliates/statement-texts.ts';
import { countOf, countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { facts, mono, note, statusLine, type Crumb } from '../display/parts.ts';
import { may, must } from '../form/form-members.ts';
import { givenOf, proposed } from '../form/form-reading.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, shown, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { statementListPage } from './statement-list-page.ts';
import { crumbsTo, statementFacts, statementPage } from './statement-page.ts';
import { amountOf, closePath, statementPath, statementsPath } from './statement-parts.ts';

const access = 'admin:affiliates';

const doneTexts = {
  closed: 'The month is closed.',
  'closed-some': 'A part of the month is closed. Close it again for the others.',
  nothing: 'Nobody has earnings to close in this month.',
  paid: 'The payment was recorded.',
  unpaid: 'The record of the payment was taken away.',
};

/** The list of statements, the page of each, and their changes. */
export function statementRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { listStatements, listStatementLines, everyStatementLine, showStatement } = administration;
  return [
    {
      id: 'consoleStatements',
      method: 'GET',
      path: statementsPath,
      access,
      handle: async ({ call, query, view }) => {
        const filter = givenOf(new URLSearchParams(query), ['state', 'month', 'product', 'handle']);
        const part = pageIn(query);
        const page = await listStatements(filterOf(filter), part, call);
        const fields = proposed(Object.fromEntries(filter));
        return shown(
          statementListPage(view, { page, after: part.after, filter, fields, done: statusLine(query, doneTexts) }),
        );
      },
    },
    ...closeRoutes(administration),
    {
      id: 'consoleStatement',
      method: 'GET',
      path: statementPath(':id'),
      access,
      handle: async ({ call, parameters: { id = '' }, query, view }) => {
        const part = pageIn(query);
        const found = await showStatement(id, call);
        const lines = await listStatementLines(id, part, call);
        return shown(statementPage(view, { found, lines, after: part.after, done: statusLine(query, doneTexts) }));
      },
    },
    {
      id: 'consoleStatementFile',
      method: 'GET',
      path: statementPath(':id', 'lines.csv'),
      access,
      handle: async ({ call, parameters: { id = '' } }) => {
        const { statement } = await showStatement(id, call);
        return {
          kind: 'file',
          name: `${id}.csv`,
          contentType: 'text/csv; charset=utf-8',
          lines: (newCall) => statementCsv(statement, everyStatementLine(id, newCall)),
        };
      },
    },
    ...paidRoutes(administration),
    ...decisionRoutes(onStatement(administration), [undoing(administration)]),
  ];
}

/** The filter of a query. A product, handle or month that no statement can have is kept, and matches none. */
function filterOf(asked: URLSearchParams) {
  const handle = asked.get('handle');
  const state = asked.get('state');
  return {
    productId: asked.get('product'),
    handle: handle === null ? null : foldedHandle(handle),
    month: asked.get('month'),
    state: state === null ? null : oneOf(statementStates).parse(state),
  };
}

const closeMembers = { month: must(closingMembers.month), product: may(closingMembers.product) };

/** The maximum number of statements, and of sales that wait, that the page counts before it asks. */
const maxCounted = 100;

function closeRoutes({ closeStatements, countOpenStatements }: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'CloseMonth',
    path: closePath,
    access,
    find: async ({ call, query, form }): Promise<Month> => {
      const asked = form.get('month') ?? new URLSearchParams(query).get('month') ?? '';
      const read = monthRule.parse(asked);
      return read !== null && isOver(read, call.now) ? read : lastMonthOver(call.now);
    },
    proposes: (month) => ({ month }),
    asks: async (month, { call }) => ({
      path: [{ href: statementsPath, text: 'Statements' }],
      here: 'Close a month',
      title: `Close ${monthText(month)}?`,
      text: 'It makes the statements of everybody who has earnings until then.',
      above: openNote(await countOpenStatements(month, maxCounted, call)),
      button: 'Close the month',
    }),
    back: () => ({ href: statementsPath, text: 'Back to the statements' }),
    members: closeMembers,
    refusals: { month_not_over: { member: 'month', problem: 'must be over, by UTC' } },
    act: async ({ month, product = null }, _shown, { call }) => {
      const { closed, more } = await closeStatements({ month, productId: product, handle: null }, call);
      return goTo(statementsPath, more ? 'closed-some' : closed.length === 0 ? 'nothing' : 'closed');
    },
  });
}

function openNote(open: OpenMonth): Html {
  const { affiliates, statements, isAll } = open;
  return note(
    'warn',
    'A closed statement never changes.',
    html`<p>
      ${isAll ? '' : 'At least '}${countOf(affiliates, 'affiliate')} ${affiliates === 1 ? 'has' : 'have'} earnings in
      ${countOf(statements, 'statement')}. Payments that Stripe has not confirmed since their hold ended are left for
      the next month${waitingText(open)}.
    </p>`,
  );
}

function waitingText({ waiting }: OpenMonth): string {
  if (waiting === null) return '';
  if (waiting >= maxCounted) return `: ${countText(waiting, true)} sales wait`;
  return `: ${countOf(waiting, 'sale')} ${waiting === 1 ? 'waits' : 'wait'}`;
}

const paidMembers = {
  method: must(paymentMembers.method),
  reference: must(paymentMembers.reference),
  at: may(paymentMembers.at),
};

function paidRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'PayStatement',
    path: statementPath(':id', 'paid'),
    access,
    find: (request) => statementOf(administration, request),
    asks: (found) => ({
      path: pathTo(found),
      here: 'Record a payment',
      title: `Record a payment of ${amountOf(found.statement, found.statement.balance)}?`,
      text: 'It is a record: no money moves.',
      above: facts(statementFacts(found), 'boxed'),
      button: 'Record payment',
    }),
    back: ({ statement }) => ({ href: statementPath(statement.id), text: 'Back' }),
    members: paidMembers,
    refusals: {
      invalid_body: { member: 'at', problem: 'must not be later than now' },
      nothing_to_pay: { member: 'method', problem: 'is not needed: nothing is owed' },
      statement_paid: { member: 'reference', problem: 'is not that of the payment that is recorded' },
    },
    seen: ({ statement }) => ({ now: seenOf(statement), intent: html`record a payment of ${mono(statement.id)}.` }),
    isDone: ({ method, reference }, { statement: { paid } }) =>
      paid !== null && paid.method === method && paid.reference === reference,
    act: async ({ method, reference, at = null }, { statement: { id } }, { call }) => {
      await administration.payStatement(id, { method, reference, at }, call);
      return goTo(statementPath(id), 'paid');
    },
  });
}

function onStatement(administration: Administration): DecidedOn<StatementShown> {
  return {
    noun: 'payment',
    kind: 'Payment',
    access,
    path: () => statementPath(':id', 'unpaid'),
    find: (request) => statementOf(administration, request),
    crumbs: pathTo,
    facts: statementFacts,
    seen: ({ statement }) => seenOf(statement),
    intent: ({ statement }, verb) => html`${verb} the payment of ${mono(statement.id)}.`,
    back: ({ statement }) => statementPath(statement.id),
  };
}

function undoing({ unpayStatement }: Administration): Decision<StatementShown> {
  return {
    name: 'unpaid',
    verb: 'Undo',
    heading: 'The statement is to be paid again.',
    effects: () => [html`Only the record is taken away: no money moves.`],
    isDone: ({ statement }) => statement.paid === null,
    run: ({ statement }, call) => unpayStatement(statement.id, call),
  };
}

function statementOf(
  { showStatement }: Administration,
  { call, parameters: { id = '' } }: ConsoleRequest,
): Promise<StatementShown> {
  return showStatement(id, call);
}

function pathTo(found: StatementShown): readonly Crumb[] {
  const { statement } = found;
  return [...crumbsTo(found), { href: statementPath(statement.id), text: monthText(statement.month) }];
}

/** The values that a page has shown of a statement. */
function seenOf(statement: StatementShown['statement']): Seen {
  return { State: stateOf(statement) };
}
