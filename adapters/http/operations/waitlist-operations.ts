import { waitlistRoles, type SignUp, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import type { JoinWaitlist } from '../../../core/waitlist/waitlist-entries.ts';
import { ok } from '../answer.ts';
import { refusals } from '../refusals.ts';
import { doneExample } from './docs/examples.ts';
import { waitlist, type OperationDocs } from './docs/operation-docs.ts';
import { detailSchemas, emailSchema } from './docs/schemas.ts';
import type { Operation } from './operation.ts';
import { bodyCheck } from './validation.ts';
import { doneBody } from './views.ts';

interface Details {
  name?: string | null;
  handle?: string | null;
  role?: WaitlistRole | null;
}

const notAnObject = 'The request body must be a JSON object with the member email.';
const shortTextRule = 'must be a string of at most 200 characters without control characters.';

const checkEmail = bodyCheck<{ email: string }>(
  { type: 'object', required: ['email'], properties: { email: emailSchema } },
  {
    code: 'invalid_email',
    object: notAnObject,
    members: { email: refusals.invalid_email[1] },
  },
);

const checkDetails = bodyCheck<Details>(
  { type: 'object', properties: detailSchemas },
  {
    code: 'invalid_body',
    object: notAnObject,
    members: {
      name: `name ${shortTextRule}`,
      handle: `handle ${shortTextRule}`,
      role: `role must be one of ${waitlistRoles.join(', ')}.`,
    },
  },
);

const joinDocs: OperationDocs = {
  tag: waitlist,
  summary: 'Join the waitlist.',
  description:
    'New and known addresses get the same answer, so that nobody can find out who signed up. A repeated sign-up changes nothing.',
  request: { schema: 'WaitlistSignUp', example: { email: 'ada@example.com', name: 'Ada', role: 'creator' } },
  success: { description: 'Accepted, whether the address is new or not.', schema: 'Done', example: doneExample },
  refusals: ['invalid_email'],
  acceptedScope: 'write:waitlist',
};

/** Reads a sign-up from the members of a request. Refuses with `invalid_body` and `invalid_email`. */
export function readSignUp(body: unknown): Omit<SignUp, 'at'> {
  const { name = null, handle = null, role = null } = checkDetails(body);
  const { email } = checkEmail(body);
  return { email, name, handle, role };
}

/** Operation 4.3. */
export function waitlistOperations(joinWaitlist: JoinWaitlist): readonly Operation[] {
  return [
    {
      id: 'joinWaitlist',
      method: 'POST',
      path: '/api/waitlist',
      caller: 'anyone',
      body: 'json',
      crossOrigin: true,
      errors: 'standard',
      docs: joinDocs,
      handle: async ({ body, call }) => {
        await joinWaitlist(readSignUp(body), call);
        return ok(doneBody(call.correlationId));
      },
    },
  ];
}
