import type { Administration } from '../../../../core/administration/administration.ts';
import { emailAddressRule } from '../../../../core/waitlist/sign-up.ts';
import type { AdminRow } from './admin-operation.ts';
import { bodyReader } from './body-reader.ts';
import { waitlist } from './docs/admin-tags.ts';

const readBody = bodyReader<{ email: string }>({ email: emailAddressRule }, ['email']);

export function waitlistRows({ eraseFromWaitlist }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'eraseFromWaitlist',
      method: 'POST',
      path: '/admin/waitlist/erase',
      access: 'admin:waitlist',
      body: 'json',
      docs: {
        tag: waitlist,
        summary: 'Erase the entry of an e-mail address.',
        description: 'The address may be in any case. One without an entry is no error.',
        request: { schema: 'ErasureRequest', example: { email: 'ada@example.com' } },
        success: { description: 'How many entries there were.', schema: 'ErasureAnswer' },
        refusals: [],
      },
      answer: async ({ body, call }) => {
        const erased = await eraseFromWaitlist(readBody(body).email, call);
        return { data: { erased }, changed: erased === 0 ? null : { command: 'waitlist erase', entries: erased } };
      },
    },
  ];
}
