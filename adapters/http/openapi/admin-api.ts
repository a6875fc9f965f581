import { operatorScopes, type OperatorScope } from '../../../core/key/operator/operator-key.ts';
import { currentEdition } from '../editions.ts';
import { adminSchemas } from '../operations/admin/docs/admin-schemas.ts';
import type { Operation } from '../operations/operation.ts';
import type { ApiDescription } from './document.ts';

/** The ids of the operations that each scope allows, in the order of the table. */
export function operationsByScope(
  operations: readonly Operation[],
): readonly (readonly [scope: OperatorScope, ids: readonly string[]])[] {
  return operatorScopes.map((scope) => [
    scope,
    operations.filter((operation) => operation.caller === 'operator' && operation.access === scope).map(({ id }) => id),
  ]);
}

const description = `\
The administration of Latchkey, for billing systems, key pages of merchants and support desks. It is served on the admin port only.

**Repeating a write is safe.** Each names the state to be reached or is guarded by an id that the caller chooses. A repeat after a lost answer gets 200 with the present state and has no second effect. A key is shown once: in the answer to a repeat it is null.

**Lists** have pages. While \`meta.hasMore\` is true, \`meta.next\` is the \`after\` of the next page. A walk neither skips nor repeats what existed all the time.

**Errors** are JSON with a message for people. The header \`Error-Code\` has the code for programs; each operation lists its own. Unknown members of a body are refused.

**Versions** are dates. \`API-Version\` selects one; without it the current version answers. Members, headers, operations and statuses may be added to a version at any time, so clients must ignore what they do not know.`;

/** The API on the admin port, whose table has these operations. */
export function adminApi(operations: readonly Operation[]): ApiDescription {
  const scopeList = operationsByScope(operations).map(([scope, ids]) => {
    return `- \`${scope}\`: ${ids.map((id) => `\`${id}\``).join(', ')}`;
  });
  return {
    edition: currentEdition,
    title: 'Latchkey administration',
    summary: 'Products, keys, entitlements, licenses, listings, the waitlist, events and webhooks.',
    description,
    schemas: adminSchemas,
    credential: {
      name: 'OperatorKey',
      scheme: {
        type: 'http',
        scheme: 'bearer',
        description: `An operator key, sent as \`Authorization: Bearer svc_op_live_…\`. Its scopes, with the operations that each allows:\n\n${scopeList.join('\n')}`,
      },
    },
  };
}
