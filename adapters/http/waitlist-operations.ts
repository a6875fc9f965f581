import type { JoinWaitlist } from '../../core/waitlist/join-waitlist.ts';
import { waitlistRoles, type WaitlistRole } from '../../core/waitlist/sign-up.ts';
import { ok } from './answer.ts';
import type { Operation } from './operation.ts';
import { bodyCheck } from './validation.ts';
import { doneBody } from './views.ts';

interface Details {
  name?: string;
  handle?: string;
  role?: WaitlistRole;
}

const shortText = { type: 'string', maxLength: 200, pattern: '^\\P{Cc}*$' };

const checkEmail = bodyCheck<{ email: string }>(
  { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
  {
    code: 'invalid_email',
    object: 'The request body must be a JSON object with the member email.',
    members: { email: 'email must be a valid e-mail address of at most 254 characters.' },
  },
);

const checkDetails = bodyCheck<Details>(
  { type: 'object', properties: { name: shortText, handle: shortText, role: { enum: waitlistRoles } } },
  {
    code: 'invalid_body',
    object: 'The request body must be a JSON object with the member email.',
    members: {
      name: 'name must be a string of at most 200 characters without control characters.',
      handle: 'handle must be a string of at most 200 characters without control characters.',
      role: `role must be one of ${waitlistRoles.join(', ')}.`,
    },
  },
);

/** Operation 4.3. */
export function waitlistOperations(joinWaitlist: JoinWaitlist): readonly Operation[] {
  return [
    {
      id: 'joinWaitlist',
      method: 'POST',
      path: '/api/waitlist',
      access: 'public',
      body: 'json',
      crossOrigin: true,
      errors: 'standard',
      handle: async ({ body, call }) => {
        const { name = null, handle = null, role = null } = checkDetails(body);
        const { email } = checkEmail(body);
        await joinWaitlist({ email, name, handle, role }, call);
        return ok(doneBody(call.correlationId));
      },
    },
  ];
}
