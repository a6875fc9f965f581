import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn, hostile } from '../../../support/web/console-pages.ts';

describe("the console's waitlist", () => {
  const client = freshConsole(memory);
  const list = '/console/waitlist';
  const erase = `${list}/erase`;

  beforeEach(async () => {
    await client().signIn();
  });

  const join = async (...emails: readonly string[]): Promise<void> => {
    const waitlist = client().service.container.get(tokens.waitlist);
    for (const email of emails) await waitlist.join(aSignUp({ email, name: null }), aCall());
  };

  it('says what it is for while nobody has signed up', async () => {
    expect((await client().get(list)).text)
      .to.include('Nobody has signed up yet')
      .and.not.include('Download');
  });

  it('has pages whose addresses hold no e-mail address', async () => {
    await join(...range(51).map((index) => `a${String(index).padStart(2, '0')}@example.com`));
    const first = await client().get(list);
    expect(first.text).to.include('a49@example.com').and.not.include('a50@example.com');
    const next = await client().submit(list, { after: fieldIn(first.text, 'after') });
    expect(next.text).to.include('a50@example.com').and.not.include('a49@example.com');
    expect(next.text).to.include('First page').and.not.include('Next page');
    expect(first.text + next.text).to.not.match(/href="[^"]*(?:example|after)/);
    expect(JSON.stringify(client().service.logged)).to.not.include('example.com');
  });

  it('has those with a role, on pages of their own, and says how many there are in all', async () => {
    const waitlist = client().service.container.get(tokens.waitlist);
    for (const index of range(60)) {
      const email = `b${String(index).padStart(2, '0')}@example.com`;
      await waitlist.join(aSignUp({ email, role: index < 55 ? 'brand' : 'both' }), aCall());
    }
    const first = await client().get(`${list}?role=brand`);
    expect(first.text)
      .to.include('b49@')
      .and.include('>60</span>')
      .and.match(/role=brand"\s+aria-current="page"/);
    const fields = { role: fieldIn(first.text, 'role'), after: fieldIn(first.text, 'after') };
    const next = await client().submit(list, fields);
    expect(next.text).to.include('b54@example.com').and.not.include('b55@').and.not.include('Next page');
    expect(next.text).to.include(`href="${list}?role=brand">First page</a>`);
    expect((await client().get(`${list}?role=creator`)).text).to.include('Nobody with this role has signed up.');
    expect((await client().get(`${list}?role=none`)).text).to.include('b00@');
  });

  it('is downloaded as CSV that no spreadsheet runs and no cache keeps', async () => {
    const waitlist = client().service.container.get(tokens.waitlist);
    await waitlist.join(aSignUp({ email: 'ada@example.com', name: '=1+1', handle: 'a,"b"', role: 'brand' }), aCall());
    const { headers, text } = await client().get(`${list}/waitlist.csv`);
    expect(headers).to.include({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="waitlist.csv"',
      'cache-control': 'no-store',
    });
    expect(text.split('\r\n').slice(0, 2)).to.deep.equal([
      'email,name,handle,role,at,invitedAt',
      `ada@example.com,'=1+1,"a,""b""",brand,${aSignUp().at.toISOString()},`,
    ]);
  });

  it('erases an address in two steps, once', async () => {
    await join('Ada@example.com', 'eve@example.com');
    const asked = await client().submit(erase, { step: 'ask', email: 'ADA@example.com' });
    expect(asked.text).to.include('Erase this address?').and.include('cannot be undone').and.include('Keep it');
    expect((await client().get(list)).text).to.include('Ada@example.com');
    const fields = { step: 'erase', email: 'ADA@example.com' };
    expect(outcomeOf(await client().submit(erase, fields))).to.deep.equal([303, `${list}?done=erased`]);
    expect(outcomeOf(await client().submit(erase, fields))).to.deep.equal([303, `${list}?done=unknown`]);
    expect((await client().get(`${list}?done=erased`)).text)
      .to.include('The address was erased.')
      .and.include('eve@example.com')
      .and.not.include('Ada@');
    expect(changesIn(client())).to.deep.equal([{ command: 'waitlist erase', entries: 1 }]);
    expect(JSON.stringify(client().service.logged)).to.not.include('example.com');
  });

  it('shows the form again for what is no address', async () => {
    const wrong = await client().submit(erase, { step: 'erase', email: hostile });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('id="email-error">E-mail address must have an @').and.not.include('<script>');
  });

  it('is for keys with its own scope alone, and is not in the navigation of others', async () => {
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    for (const path of [list, erase, `${list}/waitlist.csv`]) {
      const page = await client().get(path);
      expect(outcomeOf(page)).to.deep.equal([403, 'insufficient_scope']);
      expect(page.text).to.include('admin:waitlist').and.not.include(`href="${list}"`);
    }
  });
});
