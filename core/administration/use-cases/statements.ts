import { closeStatements, countOpen } from '../../affiliate/closing/close-statements.ts';
import {
  everyLine,
  everyStatement,
  listLines,
  listStatements,
  payStatement,
  showStatement,
  unpayStatement,
} from '../../affiliate/closing/manage-statements.ts';
import { ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** The monthly statements of affiliates. */
export function statementsOf({ ports, platform: { digest, newEventId }, trustsClock }: Parts) {
  const { affiliates, statements } = ports;
  return ofProducts({
    closeStatements: closeStatements({ ...ports, digest, newEventId, trustsClock }),
    countOpenStatements: countOpen(ports),
    listStatements: listStatements(statements),
    everyStatement: everyStatement(statements),
    showStatement: showStatement(statements, affiliates),
    listStatementLines: listLines(ports),
    everyStatementLine: everyLine(ports),
    payStatement: payStatement(statements, newEventId),
    unpayStatement: unpayStatement(statements, newEventId),
  });
}
