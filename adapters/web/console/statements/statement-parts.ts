import { lastInstantOf, type Month } from '../../../../core/affiliate/statement/month.ts';
import { stateOf, type Statement, type StatementState } from '../../../../core/affiliate/statement/statement.ts';
import { badge, type Tone } from '../../markup/badge.ts';
import { monthAndYearText } from '../../markup/figures.ts';
import type { Html } from '../../markup/html.ts';
import { moneyText } from '../../markup/money.ts';
import { idSegment } from '../frame/id-segment.ts';

export const statementsPath = '/console/statements';
export const closePath = `${statementsPath}/close`;

/** The path of the page of a statement, or of one of its changes. */
export function statementPath(id: string, change: 'paid' | 'unpaid' | 'lines.csv' | '' = ''): string {
  return `${statementsPath}/${idSegment(id)}${change === '' ? '' : `/${change}`}`;
}

const states: Readonly<Record<StatementState, readonly [tone: Tone, text: string]>> = {
  to_pay: ['info', 'To pay'],
  paid: ['ok', 'Paid'],
  carried: ['over', 'Carried over'],
  settled: ['over', 'Settled'],
};

export function statementBadge(statement: Statement): Html {
  return badge(...states[stateOf(statement)]);
}

/** "November 2026". */
export function monthText(month: Month): string {
  return monthAndYearText(lastInstantOf(month));
}

export function amountOf({ currency }: Pick<Statement, 'currency'>, amount: number): string {
  return moneyText(amount, currency);
}
