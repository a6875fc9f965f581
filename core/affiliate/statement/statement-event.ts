import type { Actor, Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Statement } from './statement.ts';

export const statementEventTypes = ['statement.closed', 'statement.paid'] as const;

/** One change of a statement. It belongs to a product and to no entitlement. */
export interface StatementEvent {
  readonly id: string;
  /** `statement.paid`: the record that it was paid was added or taken away. */
  readonly type: (typeof statementEventTypes)[number];
  readonly at: Date;
  /** The revision of the statement. */
  readonly sequence: number;
  readonly by: Actor;
  readonly correlationId: string;
  readonly productId: string;
  /** The statement from then on. */
  readonly statement: Statement;
}

/** Makes the event of a statement that a call has closed, or whose payment it has changed. */
export function statementEvent(statement: Statement, { now, by, correlationId }: Call, newId: NewId): StatementEvent {
  const { productId, revision } = statement;
  const type = revision === 1 ? 'statement.closed' : 'statement.paid';
  return { id: newId(), type, at: now, sequence: revision, by, correlationId, productId, statement };
}
