import type { JoinWaitlist } from '../../../core/waitlist/join-waitlist.ts';
import { waitlistRoles, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import { ok } from '../answer.ts';
import { doneExample } from './docs/examples.ts';
import type { Operation } from './operation.ts';
import type { OperationDocs } from './docs/operation-docs.ts';
import { refusals } from '../refusals.ts';
import { bodyCheck } from './validation.ts';
import { doneBody } from './views.ts';

interface Details {
  name?: string;
  handle?: string;
  role?: WaitlistRole;
}

const shortText = {
  type: 'string',
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  format: 'well-formed', // not part of the pattern: request generators do not know surrogates
};

const emailSchema = { type: 'string', format: 'email' };
const detailSchemas = { name: shortText, handle: shortText, role: { enum: waitlistRoles } };

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
  summary: 'Join the waitlist.',
  request: { type: 'object', required: ['email'], properties: { email: emailSchema, ...detailSchemas } },
  requestExample: { email: 'ada@example.com', name: 'Ada', role: 'creator' },
  success: { description: 'Accepted, whether the address is new or not.', schema: 'Done', example: doneExample },
  refusals: ['invalid_email'],
  acceptedScope: 'write:waitlist',
};

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
      docs: joinDocs,
      handle: async ({ body, call }) => {
        const { name = null, handle = null, role = null } = checkDetails(body);
        const { email } = checkEmail(body);
        await joinWaitlist({ email, name, handle, role }, call);
        return ok(doneBody(call.correlationId));
      },
    },
  ];
}
