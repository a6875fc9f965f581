import type { Statement } from '../affiliate/statement/statement.ts';
import { compareStatementPlaces, type Statements } from '../affiliate/statement/statements.port.ts';
import { inOrder, reaches, requireReach, visible } from '../reach.ts';
import { mergedPage } from './limited-pages.ts';

export function limitedStatements(all: Statements): Statements {
  return {
    last: async (chain, call) => (reaches(call.products, chain.productId) ? all.last(chain, call) : null),

    find: async (id, call) => visible(await all.find(id, call), call),

    page: (part, call) => {
      if (call.products === null) return all.page(part, call);
      const own = inOrder(call.products).filter((id) => part.productId === null || id === part.productId);
      return mergedPage<Statement>(own, part.limit, compareStatementPlaces, (productId, last, limit) =>
        all.page({ ...part, productId, after: last ?? part.after, limit }, call),
      );
    },

    lines: async (id, after, limit, call) => {
      const isHidden = call.products !== null && visible(await all.find(id, call), call) === null;
      return isHidden ? [] : all.lines(id, after, limit, call);
    },

    add: async (closed, event, call) => {
      requireReach(call, closed.statement.productId);
      return all.add(closed, event, call);
    },

    setPaid: async (seen, next, event, call) => {
      requireReach(call, next.productId);
      return all.setPaid(seen, next, event, call);
    },
  };
}
