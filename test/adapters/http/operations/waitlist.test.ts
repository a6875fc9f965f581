import { expect } from 'chai';
import { openMemoryStore } from '../../../../adapters/memory/open-memory-store.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import type { SignUp } from '../../../../core/waitlist/sign-up.ts';
import { noon } from '../../../support/builders.ts';
import { fetchDocumented } from '../../../support/http/http-client.ts';
import { TestService } from '../../../support/http/test-service.ts';
import { signUpsIn } from '../../../support/stores/whole-lists.ts';
import { emailVectors } from './email-vectors.ts';

describe('joining the waitlist', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.start(openMemoryStore(retentionFor(defaultTtl)));
  });
  afterEach(() => service.stop());

  it('stores what was given and answers with nothing but success', async () => {
    const body = { email: 'Ada@Example.com', name: 'Ada ✨', handle: '@ada', role: 'both', other: 'not stored' };
    const response = await join(body);
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(await response.json()).to.deep.equal({ success: true, correlationId: response.headers.get('x-request-id') });
    expect(await entries()).to.deep.equal([
      {
        email: 'Ada@Example.com',
        name: 'Ada ✨',
        handle: '@ada',
        role: 'both',
        at: noon,
        invitedAt: null,
        invitation: null,
      },
    ]);
  });

  for (const [about, { accepted = [], refused = [], declined = [] }] of Object.entries(emailVectors)) {
    it(`takes or refuses an e-mail address by ${about}`, async () => {
      expect(await statusesOf(accepted)).to.deep.equal(accepted.map(() => 200));
      expect(await statusesOf([...refused, ...declined])).to.deep.equal([...refused, ...declined].map(() => 400));
      expect((await entries()).map(({ email }) => email)).to.deep.equal(accepted.toSorted());
    });
  }

  it('refuses an address that is missing or not a string', async () => {
    for (const body of [{}, { email: 12 }, { email: {} }, { email: false }]) {
      await expectRefusal(body, 'invalid_email', 'email must be a valid e-mail address of at most 254 characters.');
    }
  });

  it('refuses other members by their names, and never repeats a value', async () => {
    const email = 'ada@example.com';
    const text = 'must be a string of at most 200 characters without control characters.';
    for (const name of ['x'.repeat(201), 'a\nb', 'a\u0085', 'a\ud83d', '\ude00b', 7]) {
      await expectRefusal({ email, name }, 'invalid_body', `name ${text}`);
      await expectRefusal({ email, handle: name }, 'invalid_body', `handle ${text}`);
    }
    for (const role of ['Creator', '']) {
      await expectRefusal({ email, role }, 'invalid_body', 'role must be one of creator, brand, both.');
    }
    expect((await join({ email, name: '✨'.repeat(200) })).status).to.equal(200);
  });

  it('refuses a body that is not a JSON object', async () => {
    for (const body of [[], 'text', 7, null]) {
      await expectRefusal(body, 'invalid_body', 'The request body must be a JSON object with the member email.');
    }
  });

  it('logs no address', async () => {
    await join({ email: 'somebody@example.com', name: 'Nobody Else' });
    await join({ email: 'not an address' });
    // Random ids are made of the letters a to f: none of them spells these words.
    expect(JSON.stringify(service.logged)).not.to.match(/somebody|nobody|address/i);
  });

  function join(body: unknown): Promise<Response> {
    return fetchDocumented(`${service.url}/api/waitlist`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async function statusesOf(emails: readonly string[]): Promise<readonly number[]> {
    const responses = await Promise.all(emails.map((email) => join({ email })));
    return responses.map(({ status }) => status);
  }

  async function expectRefusal(body: unknown, code: string, error: string): Promise<void> {
    const response = await join(body);
    expect([response.status, response.headers.get('error-code')]).to.deep.equal([400, code]);
    expect(await response.json()).to.deep.equal({
      success: false,
      error,
      correlationId: response.headers.get('x-request-id'),
    });
  }

  function entries(): Promise<readonly SignUp[]> {
    return signUpsIn({ waitlist: service.container.get(tokens.waitlist) });
  }
});
