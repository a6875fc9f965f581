import type { DoneTexts } from '../../frame/status-line.ts';
import type { ActionName } from '../purchase/action-names.ts';

/** What the page of an entitlement says after a change. */
export const doneTexts: DoneTexts = {
  renew: 'The entitlement was renewed.',
  'change-tier': 'The tier was changed.',
  suspend: 'The entitlement was suspended.',
  reinstate: 'The entitlement was reinstated.',
  cancel: 'The cancellation was scheduled.',
  resume: 'The cancellation was undone.',
  revoke: 'The entitlement was revoked.',
  'revoke-license': 'The license was revoked.',
  nothing: 'Nothing was changed: it was so already.',
} satisfies Readonly<Partial<Record<ActionName | 'nothing', string>>>;
