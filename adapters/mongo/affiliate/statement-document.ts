import type { StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import {
  stateOf,
  type ClosedStatement,
  type Statement,
  type StatementLine,
  type StatementState,
} from '../../../core/affiliate/statement/statement.ts';
import { statementSubject } from '../../../core/feed/logged-event.ts';

type StoredLine = readonly [sale: string, from: number, to: number];

/** A document of `statements` without its lines, by id. `state` is what `stateOf` says. */
export type StatementDocument = Omit<Statement, 'id'> & { readonly _id: string; readonly state: StatementState };

/** A whole document, at most 1 MB. */
export type ClosedDocument = StatementDocument & {
  readonly lines: readonly StoredLine[];
  /** Whether every line is in its sale. */
  readonly applied: boolean;
};

/** Leaves the members that are not part of the statement itself out of a read. */
export const withoutLines = { lines: 0, applied: 0, outbox: 0 };

export function toStatementDocument(statement: Statement): StatementDocument {
  const { id: _id, ...members } = statement;
  return { _id, ...members, state: stateOf(statement) };
}

export function fromStatementDocument({ _id: id, state: _state, ...members }: StatementDocument): Statement {
  return { id, ...members };
}

export function toClosedDocument({ statement, lines }: ClosedStatement, applied: boolean): ClosedDocument {
  const stored: readonly StoredLine[] = lines.map(({ sale, from, to }) => [sale, from, to]);
  return { ...toStatementDocument(statement), lines: stored, applied };
}

export function fromClosedDocument({ lines, applied: _applied, ...document }: ClosedDocument): ClosedStatement {
  return { statement: fromStatementDocument(document), lines: fromStoredLines(lines) };
}

export function fromStoredLines(lines: readonly StoredLine[]): readonly StatementLine[] {
  return lines.map(([sale, from, to]) => ({ sale, from, to }));
}

/** An event in the `outbox` of its statement, where it waits for its position. The names are those of `OutboxEntry`. */
export interface StatementOutboxEntry {
  readonly id: string;
  readonly type: StatementEvent['type'];
  readonly told: Date;
  readonly at: Date;
  readonly n: number;
  readonly by: StatementEvent['by'];
  readonly cid: string;
  readonly is: Statement;
}

/** An event in the log. `of` is the subject. */
export interface StatementLogEntry extends StatementOutboxEntry {
  readonly of: string;
}

export function toStatementOutboxEntry(event: StatementEvent, told: Date): StatementOutboxEntry {
  const { id, type, at, sequence: n, by, correlationId: cid, statement: is } = event;
  return { id, type, told, at, n, by, cid, is };
}

export function toStatementLogEntry(event: StatementEvent, told: Date): StatementLogEntry {
  return { ...toStatementOutboxEntry(event, told), of: statementSubject(event.statement.id) };
}

export function fromStatementLogEntry(entry: StatementLogEntry, productId: string): StatementEvent {
  const { id, type, at, n: sequence, by, cid: correlationId, is: statement } = entry;
  return { id, type, at, sequence, by, correlationId, productId, statement };
}
