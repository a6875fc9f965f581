import type { Call, NewCall } from '../../call.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { keyCursorAt, keyPositionIn } from '../list-keys.ts';
import type { AllOperatorKeys } from './all-operator-keys.port.ts';
import type { OperatorKey } from './operator-key.ts';

const list = ['operator keys'] as const;

/**
 * Lists the operator keys, ended ones too: the oldest first, keys of one instant by id. Refuses with
 * `invalid_parameter` for a cursor of another list.
 */
export type ListOperatorKeys = (page: PageRequest, call: Call) => Promise<Page<OperatorKey>>;

export function listOperatorKeys(operatorKeys: AllOperatorKeys): ListOperatorKeys {
  return async (page, call) => {
    const after = keyPositionIn(list, page.after);
    const found = await operatorKeys.page({ after, limit: page.limit + 1 }, call);
    return pageOf(found, page, (last) => keyCursorAt(list, last));
  };
}

/** Walks over every operator key in the order of `ListOperatorKeys`. */
export type EveryOperatorKey = (newCall: NewCall) => AsyncIterable<OperatorKey>;

export function everyOperatorKey(operatorKeys: AllOperatorKeys): EveryOperatorKey {
  return (newCall) => walk((after, limit, call) => operatorKeys.page({ after, limit }, call), newCall);
}
