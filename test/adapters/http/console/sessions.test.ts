import { expect } from 'chai';
import { maxGuesses } from '../../../../adapters/http/limits/guess-counts.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, anOperatorKey, hour, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';

const signIn = [303, '/console/sign-in?next=%2Fconsole'];
const open = [200, undefined];

describe('the end of a session of the console', () => {
  const client = freshConsole(memory);
  const overview = async (): Promise<unknown> => outcomeOf(await client().get('/console'));
  beforeEach(() => client().signIn());

  it('comes after an hour without use, and not before', async () => {
    client().service.now = later(hour - 1000);
    expect(await overview()).to.deep.equal(open);
    client().service.now = later(2 * hour - 2000);
    expect(await overview()).to.deep.equal(open);
    client().service.now = later(3 * hour);
    expect(await overview()).to.deep.equal(signIn);
  });

  it('comes after twelve hours, however often it is used', async () => {
    for (let passed = 0; passed < 12; passed += 0.5) {
      client().service.now = later(passed * hour);
      expect(await overview()).to.deep.equal(open);
    }
    client().service.now = later(12 * hour);
    expect(await overview()).to.deep.equal(signIn);
  });

  it('comes with the revocation of its key, at the next request', async () => {
    const keys = client().service.container.get(tokens.allOperatorKeys);
    expect(await keys.end(anOperatorKey().id, { revokedAt: client().service.now }, aCall())).to.equal('ended');
    expect(await overview()).to.deep.equal(signIn);
  });
});

describe('a session of the console', () => {
  const client = freshConsole(memory);
  const ends = async (overrides: object): Promise<unknown> => {
    await client().service.addOperatorKey('svc_op_live_of-a-short-session', { id: 'opk_2', ...overrides });
    await client().signIn('svc_op_live_of-a-short-session');
    client().service.now = later(1000);
    return outcomeOf(await client().get('/console'));
  };

  it('ends when its key expires, as a rotated one does', async () => {
    expect(await ends({ expiresAt: later(1000) })).to.deep.equal(signIn);
  });

  it('is none for a key that has ended before', async () => {
    for (const [id, overrides] of [
      ['opk_3', { revokedAt: later(-1) }],
      ['opk_4', { expiresAt: later(-1) }],
    ] as const) {
      await client().service.addOperatorKey(`svc_op_live_${id}`, { id, ...overrides });
      const page = await client().signIn(`svc_op_live_${id}`);
      expect(outcomeOf(page)).to.deep.equal([401, 'invalid_operator_key']);
      expect(page.headers['set-cookie']).to.equal(undefined);
    }
  });

  it('is not begun by a wrong key, which is not sent back', async () => {
    const page = await client().signIn('svc_op_live_a-wrong-key', { next: '/console/events', user: 'typed' });
    expect(outcomeOf(page)).to.deep.equal([401, 'invalid_operator_key']);
    expect(page.text)
      .to.include('This key does not work')
      .and.include('name="next" value="/console/events"')
      .and.not.include('a-wrong-key')
      .and.not.include('typed');
  });

  it('needs the whole cookie: none that was changed, and none of two', async () => {
    await client().signIn();
    const { cookie } = client();
    const [name = '', token = ''] = cookie.split('=');
    const attempt = async (changed: string): Promise<unknown> => {
      client().cookie = changed;
      return outcomeOf(await client().get('/console'));
    };
    expect(await attempt(`other=1; ${cookie}`)).to.deep.equal(open);
    for (const changed of [`${name}=${token.slice(1)}x`, `${name}=`, `${cookie}; ${name}=planted`, `other=${token}`]) {
      expect(await attempt(changed), changed).to.deep.equal(signIn);
    }
  });

  it('ends when another one begins in the same browser', async () => {
    await client().signIn();
    const { cookie } = client();
    await client().signIn('svc_op_live_a-wrong-key');
    expect(outcomeOf(await client().get('/console'))).to.deep.equal(open);
    await client().signIn();
    expect(outcomeOf(await client().get('/console'))).to.deep.equal(open);
    client().cookie = cookie;
    expect(outcomeOf(await client().get('/console'))).to.deep.equal(signIn);
  });

  it('needs a key with no scope to sign out, and shows which scope a page needs', async () => {
    await client().service.addOperatorKey(operatorKeys.reader, {
      id: 'opk_2',
      name: 'Night shift',
      scopes: ['admin:waitlist'],
    });
    await client().signIn(operatorKeys.reader);
    expect(outcomeOf(await client().get('/console'))).to.deep.equal([303, '/console/waitlist']);
    const { status, headers, text } = await client().get('/console/entitlements');
    expect([status, headers['error-code']]).to.deep.equal([403, 'insufficient_scope']);
    expect(text)
      .to.include('<span class="mono">admin:read</span>')
      .and.include('Night shift')
      .and.include('href="/console/waitlist"')
      .and.not.include('href="/console/entitlements"');
    expect(outcomeOf(await client().submit('/console/sign-out'))).to.deep.equal([303, '/console/sign-in']);
  });
});

describe('the page for signing in', () => {
  const client = freshConsole(memory, { rateLimits: {} });

  it('lets nobody guess keys without limit, and counts the guesses of the interface with its own', async () => {
    const guess = (): Promise<unknown> => client().signIn('svc_op_live_a-guess').then(outcomeOf);
    const outcomes = [];
    for (let guesses = 0; guesses <= maxGuesses; guesses += 1) outcomes.push(await guess());
    expect(outcomes[0]).to.deep.equal([401, 'invalid_operator_key']);
    expect(outcomes.at(-1)).to.deep.equal([429, 'rate_limited']);
    expect(
      outcomeOf(await client().get('/admin/products', { Authorization: 'Bearer svc_op_live_a-guess' })),
    ).to.deep.equal([429, 'rate_limited']);
  });
});
