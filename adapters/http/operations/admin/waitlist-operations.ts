import type { Administration } from '../../../../core/administration/administration.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { signUpView } from './admin-views.ts';
import { erasureBody } from './bodies/admin-bodies.ts';
import { listParameters, waitlist } from './docs/admin-docs.ts';
import { pageIn } from './query-parameters.ts';

export function waitlistRows({ listWaitlist, eraseFromWaitlist }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'listWaitlist',
      method: 'GET',
      path: '/admin/waitlist',
      access: 'admin:waitlist',
      docs: {
        tag: waitlist,
        summary: 'List the waitlist.',
        description: 'By address. `next` contains an address, so keep it out of logs.',
        parameters: listParameters,
        success: { description: 'A page of entries.', schema: 'WaitlistPage' },
        refusals: ['invalid_parameter'],
      },
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listWaitlist(page, request.call), signUpView);
      },
    },
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
      answer: async ({ body, call }) => ({
        data: { erased: await eraseFromWaitlist(erasureBody.read(body).email, call) },
      }),
    },
  ];
}
