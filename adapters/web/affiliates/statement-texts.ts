import { lastInstantOf, type Month } from '../../../core/affiliate/statement/month.ts';
import { stateOf, type Statement, type StatementState } from '../../../core/affiliate/statement/statement.ts';
import { badge, type Tone } from '../markup/badge.ts';
import { monthAndYearText } from '../markup/figures.ts';
import type { Html } from '../markup/html.ts';

const states: Readonly<Record<StatementState, readonly [tone: Tone, text: string]>> = {
  to_pay: ['info', 'To pay'],
  paid: ['ok', 'Paid'],
  carried: ['closed', 'Carried over'],
  settled: ['over', 'Settled'],
};

export function statementBadge(statement: Statement): Html {
  return badge(...states[stateOf(statement)]);
}

/** "November 2026". */
export function monthText(month: Month): string {
  return monthAndYearText(lastInstantOf(month));
}
