import type { Administration } from '../../../../core/administration/administration.ts';
import { lastMonthOver } from '../../../../core/affiliate/statement/month.ts';
import { allStatements } from '../../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../../core/call.ts';
import { maxPageSize } from '../../../../core/paging/page.ts';
import { monthText } from '../../affiliates/statement-texts.ts';
import { countOf, countText } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { closePath, statementsPath } from '../statements/statement-parts.ts';
import type { Todo } from './todo-list.ts';

/** Statements of the last month that are counted: each takes two reads. */
const maxOpen = 50;

/** The last month, while somebody has earnings in it that no statement has, and the statements to pay. */
export async function statementsToDo(administration: Administration, call: Call): Promise<readonly Todo[]> {
  const parts = await Promise.all([openMonth(administration, call), toPay(administration, call)]);
  return parts.flat();
}

async function openMonth({ countOpenStatements }: Administration, call: Call): Promise<readonly Todo[]> {
  const month = lastMonthOver(call.now);
  const { affiliates, isAll } = await countOpenStatements(month, maxOpen, call);
  if (affiliates === 0) return [];
  const who = isAll
    ? `${countOf(affiliates, 'affiliate')} ${affiliates === 1 ? 'has' : 'have'}`
    : `${countText(affiliates, true)} affiliates have`;
  return [
    {
      icon: 'card',
      tone: 'warn',
      says: html`${monthText(month)} is over: ${who} earnings to close`,
      more: html`What is owed is fixed once the month is closed.`,
      link: { href: `${closePath}?month=${month}`, text: 'Look at it' },
    },
  ];
}

async function toPay({ listStatements }: Administration, call: Call): Promise<readonly Todo[]> {
  const filter = { ...allStatements, state: 'to_pay' } as const;
  const { items, next } = await listStatements(filter, { limit: maxPageSize, after: null }, call);
  if (items.length === 0) return [];
  const what = next === null ? countOf(items.length, 'statement') : `${countText(items.length, true)} statements`;
  return [
    {
      icon: 'card',
      tone: 'warn',
      says: html`${what} to pay`,
      more: html`Latchkey moves no money: pay, and record it.`,
      link: { href: `${statementsPath}?state=to_pay`, text: 'See them' },
    },
  ];
}
