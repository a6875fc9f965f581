import { expect } from 'chai';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';

describe('signing in to the console', () => {
  const client = freshConsole(memory);

  it('leads a browser without a session to the page for signing in, and back', async () => {
    expect(outcomeOf(await client().get('/'))).to.deep.equal([303, '/console']);
    const first = await client().get('/console/entitlements?status=past_due');
    const target = '/console/sign-in?next=%2Fconsole%2Fentitlements%3Fstatus%3Dpast_due';
    expect(outcomeOf(first)).to.deep.equal([303, target]);
    const { text } = await client().get(target);
    expect(text).to.include('name="next" value="/console/entitlements?status=past_due"');
    const signedIn = await client().signIn(operatorKeys.full, { next: '/console/entitlements?status=past_due' });
    expect(outcomeOf(signedIn)).to.deep.equal([303, '/console/entitlements?status=past_due']);
    expect(outcomeOf(await client().get('/console'))).to.deep.equal([200, undefined]);
  });

  it('ends a session when its operator signs out', async () => {
    await client().signIn();
    const out = await client().submit('/console/sign-out');
    expect(outcomeOf(out)).to.deep.equal([303, '/console/sign-in']);
    expect(out.headers['set-cookie']).to.match(
      /^latchkey_console_\d+=; Max-Age=0; HttpOnly; SameSite=Lax; Path=\/console$/,
    );
    expect(outcomeOf(await client().get('/console'))).to.deep.equal([303, '/console/sign-in?next=%2Fconsole']);
  });
});
