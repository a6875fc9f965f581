import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, changesOn, fieldIn, hostile, secretIn } from '../../../support/web/console-pages.ts';

describe("the console's page of operators", () => {
  const client = freshConsole(memory);
  const list = '/console/operators';
  const issue = `${list}/issue`;

  beforeEach(async () => {
    await client().signIn();
  });

  const findKey = (id: string) => client().service.container.get(tokens.allOperatorKeys).find(id, aCall());

  it('issues a key that is shown once, and works', async () => {
    const id = fieldIn((await client().get(issue)).text, 'id');
    const fields = { id, name: 'Support desk', scopes: 'admin:read' };
    const key = secretIn((await client().submit(issue, fields)).text) ?? '';
    expect(key).to.match(/^svc_op_live_/);
    const repeated = await client().submit(issue, fields);
    expect([repeated.status, secretIn(repeated.text)]).to.deep.equal([200, null]);
    expect((await client().get(list)).text)
      .to.include('Support desk')
      .and.include(id)
      .and.not.include(key);
    expect(changesIn(client())).to.deep.equal([{ command: 'operator issue', operatorKeyId: id }]);
    expect(JSON.stringify(client().service.logged)).to.not.include(key);
    await client().signIn(key);
    expect(changesOn((await client().get(list)).text)).to.deep.equal([]);
    expect(outcomeOf(await client().get(issue))).to.deep.equal([403, 'insufficient_scope']);
  });

  it('names the fields that are wrong', async () => {
    const wrong = await client().submit(issue, { id: 'a b', name: ' ', scopes: 'admin:all', expiresAt: 'soon' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    for (const field of ['id', 'name', 'scopes', 'expiresAt']) expect(wrong.text).to.include(`id="${field}-error"`);
    const early = { id: 'opk_a', name: 'A', scopes: 'admin:read', expiresAt: later(-1).toISOString() };
    expect((await client().submit(issue, early)).text).to.include('Expires must be later than now.');
    const taken = await client().submit(issue, { id: 'opk_1', name: 'Another', scopes: 'admin:read' });
    expect(taken.text).to.include('Id is that of another operator key.').and.include('value="Another"');
    expect(changesIn(client())).to.deep.equal([]);
  });

  it('rotates a key, whose session goes on until the old one ends', async () => {
    const path = `${list}/opk_1/rotate`;
    const version = fieldIn((await client().get(path)).text, 'version');
    const key = secretIn((await client().submit(path, { version, newId: 'opk_b', overlap: '1h' })).text);
    expect(key).to.match(/^svc_op_live_/);
    expect((await findKey('opk_1'))?.expiresAt).to.deep.equal(later(3_600_000));
    expect((await client().get(list)).status).to.equal(200);
  });

  it('rotates a key once for two who have looked at it', async () => {
    const path = `${list}/opk_1/rotate`;
    const version = fieldIn((await client().get(path)).text, 'version');
    const rotate = async (newId: string) => client().submit(path, { version, newId, overlap: '1h' });
    expect((await rotate('opk_b')).status).to.equal(200);
    const stale = await rotate('opk_c');
    expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
    expect(stale.text)
      .to.include('You were about to rotate')
      .and.include('Never')
      .and.include(later(3_600_000).toISOString());
    const repeated = await rotate('opk_b');
    expect([repeated.status, secretIn(repeated.text)]).to.deep.equal([200, null]);
    expect(await findKey('opk_c')).to.equal(null);
  });

  it('says who loses access, and ends the session of a key that revokes itself', async () => {
    const path = `${list}/opk_1/revoke`;
    const { text } = await client().get(path);
    expect(text).to.include('you are signed in with this key');
    const fields = { version: fieldIn(text, 'version'), token: await client().token() };
    expect(outcomeOf(await client().post(path, fields))).to.deep.equal([303, `${list}?done=revoked`]);
    expect(outcomeOf(await client().get(list))).to.deep.equal([303, '/console/sign-in?next=%2Fconsole%2Foperators']);
    const again = await client().post(path, fields);
    expect(outcomeOf(again)).to.deep.equal([401, 'invalid_session']);
    expect(again.text).to.include('Nothing was changed');
  });

  it('shows what a form says was seen, whatever it is', async () => {
    for (const version of ['', '[1]', '{"__proto__":"<b>","constructor":"<b>","State":{"a":1}}']) {
      const page = await client().submit(`${list}/opk_1/revoke`, { version });
      expect(outcomeOf(page), version).to.deep.equal([409, 'changed_meanwhile']);
      expect(page.text).to.include('Works').and.not.include('<b>');
    }
  });

  it('escapes the names of keys', async () => {
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_h', name: hostile });
    for (const path of [list, `${list}/opk_h/revoke`]) {
      expect((await client().get(path)).text)
        .to.include('&lt;script&gt;')
        .and.not.include('<script>');
    }
  });
});
