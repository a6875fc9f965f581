import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { moneyText } from '../../markup/money.ts';
import { idSegment } from '../frame/id-segment.ts';

export const statementsPath = '/console/statements';
export const closePath = `${statementsPath}/close`;

/** The path of the page of a statement, or of one of its changes. */
export function statementPath(id: string, change: 'paid' | 'unpaid' | 'lines.csv' | '' = ''): string {
  return `${statementsPath}/${idSegment(id)}${change === '' ? '' : `/${change}`}`;
}

export function amountOf({ currency }: Pick<Statement, 'currency'>, amount: number): string {
  return moneyText(amount, currency);
}
