import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { aCall, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, changesOn, fieldIn, hostile, secretIn } from '../../../support/web/console-pages.ts';

describe("the console's pages of products and app keys", () => {
  const client = freshConsole(memory);
  const list = '/console/products';
  const one = `${list}/prod_1`;
  const issue = `${one}/app-keys/issue`;

  beforeEach(async () => {
    await client().signIn();
  });

  const addProduct = (form: Readonly<Record<string, string>> = {}) =>
    client().submit(`${list}/add`, { id: 'prod_1', name: 'Sketchpad', ...form });
  const findKey = (id: string) => client().service.container.get(tokens.allAppKeys).find(id, aCall());

  it('say what a product is for, and how to add one', async () => {
    const { text } = await client().get(list);
    expect(text)
      .to.include('No product yet')
      .and.include('href="/console/products/add"')
      .and.include('latchkey product add');
    expect(text).to.include('aria-current="page"');
  });

  it('add a product once, and lead to its page', async () => {
    for (const _ of [1, 2]) expect(outcomeOf(await addProduct())).to.deep.equal([303, `${one}?done=added`]);
    expect(changesIn(client())).to.deep.equal([{ command: 'product add', productId: 'prod_1' }]);
    expect((await client().get(`${one}?done=added`)).text).to.include('The product was added.');
    expect((await client().get(list)).text)
      .to.include('>Sketchpad<')
      .and.include('prod_1');
  });

  it('show the form again with what was typed, and what is wrong at its field', async () => {
    const wrong = await addProduct({ id: '../x', name: '' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('id="id-error">Id must be 1 to 128 characters').and.include('value="../x"');
    expect(wrong.text).to.include('id="name-error">Name is missing.');
    await addProduct();
    const taken = await addProduct({ name: 'Another' });
    expect(outcomeOf(taken)).to.deep.equal([400, 'invalid_body']);
    expect(taken.text).to.include('id="id-error">Id is that of another product.').and.include('value="Another"');
  });

  it('rename a product, unless it has another name than was shown', async () => {
    await addProduct();
    const { text } = await client().get(`${one}/rename`);
    const version = fieldIn(text, 'version');
    const renamed = await client().submit(`${one}/rename`, { version, name: 'Sketchpad 2' });
    expect(outcomeOf(renamed)).to.deep.equal([303, `${one}?done=renamed`]);
    const late = await client().submit(`${one}/rename`, { version, name: 'Sketchpad 3' });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    expect(late.text).to.include('It changed while you were looking').and.include('Nothing was changed');
    expect(late.text).to.match(/You saw.*Sketchpad<.*Sketchpad 2</s);
    const twice = await client().submit(`${one}/rename`, { version, name: 'Sketchpad 2' });
    expect(outcomeOf(twice)).to.deep.equal([303, `${one}?done=renamed`]);
  });

  it('change the links and the icon of a product, remove one that is left blank, and name one that is wrong', async () => {
    await addProduct();
    const path = `${one}/links`;
    const links = {
      downloadUrl: 'https://sketchpad.example/get',
      supportUrl: 'mailto:help@sketchpad.example',
      accountUrl: 'https://sketchpad.example/account',
      activateUrl: 'sketchpad://activate?key={key}',
      iconUrl: 'https://cdn.example/sketchpad.png',
    };
    const version = fieldIn((await client().get(path)).text, 'version');
    const wrong = await client().submit(path, { version, ...links, downloadUrl: 'http://sketchpad.example' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('id="downloadUrl-error">Download page must be an https URL');
    for (const _ of [1, 2]) {
      const linked = await client().submit(path, { version, ...links });
      expect(outcomeOf(linked)).to.deep.equal([303, `${one}?done=linked`]);
    }
    const page = await client().get(`${one}?done=linked`);
    expect(page.text)
      .to.include('The links and the icon were saved.')
      .and.include(`href="${links.supportUrl}"`)
      .and.include(`href="${links.accountUrl}"`)
      .and.include('sketchpad://activate?key={key}</span>');
    const late = await client().submit(path, { version, ...links, supportUrl: '' });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    const shown = fieldIn((await client().get(path)).text, 'version');
    expect((await client().submit(path, { version: shown, ...links, supportUrl: '' })).status).to.equal(303);
    const { downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl } =
      (await client().service.container.get(tokens.products).find('prod_1', aCall())) ?? {};
    expect({ downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl }).to.deep.equal({ ...links, supportUrl: null });
    expect(changesIn(client()).map(({ command }) => command)).to.deep.equal([
      'product add',
      'product set',
      'product set',
    ]);
  });

  it('change the mails of a product, whose boxes that are not checked mean no', async () => {
    await addProduct();
    const path = `${one}/mail`;
    const form = await client().get(path);
    expect(form.text).to.match(/name="mailKeys"[^>]*checked/);
    expect(form.text).to.match(/name="mailEnding"(?![^>]*checked)/);
    const version = fieldIn(form.text, 'version');
    const mail = { mailSubject: '{product} <b>', mailText: 'Open {product}.\r\nPaste the key.' };
    const wrong = await client().submit(path, { version, ...mail, mailText: '{key}' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('id="mailText-error">').and.include('no braces but {product} and {tier}');
    for (const _ of [1, 2]) {
      expect(outcomeOf(await client().submit(path, { version, ...mail }))).to.deep.equal([303, `${one}?done=mail`]);
    }
    const page = await client().get(`${one}?done=mail`);
    expect(page.text).to.include('The mail was changed.').and.include('{product} &lt;b&gt;').and.include('Never');
    const late = await client().submit(path, { version, mailKeys: 'true', mailEnding: 'true' });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    const again = await client().get(path);
    expect(again.text).to.not.match(/name="mailKeys"[^>]*checked/);
    const product = await client().service.container.get(tokens.products).find('prod_1', aCall());
    expect(product).to.include({
      mailKeys: false,
      mailSubject: mail.mailSubject,
      mailText: 'Open {product}.\nPaste the key.',
    });
    const shown = fieldIn(again.text, 'version');
    await client().submit(path, {
      version: shown,
      mailKeys: 'true',
      mailSubject: '',
      mailText: '',
      mailEnding: 'true',
    });
    const plain = await client().service.container.get(tokens.products).find('prod_1', aCall());
    expect(plain).to.include({ mailKeys: true, mailSubject: null, mailText: null, mailEnding: true });
    expect((await client().get(one)).text).to.match(/Mail before access ends.{1,200}For a sale of Stripe/s);
  });

  it('show no newer state to a form with a mistake than its page did', async () => {
    await addProduct();
    await client().submit(issue, { id: 'key_a', scopes: 'read:licenses' });
    const [rename, rotate] = [`${one}/rename`, '/console/app-keys/key_a/rotate'];
    const renamed = fieldIn((await client().get(rename)).text, 'version');
    const rotated = fieldIn((await client().get(rotate)).text, 'version');
    await client().submit(rename, { version: renamed, name: 'Sketchpad 2' });
    await client().submit(rotate, { version: rotated, newId: 'key_b', overlap: '2h' });
    const blank = await client().submit(rename, { version: renamed, name: '' });
    expect(outcomeOf(blank)).to.deep.equal([409, 'changed_meanwhile']);
    const unreadable = await client().submit(rotate, { version: rotated, newId: 'key_c', overlap: 'long' });
    expect(outcomeOf(unreadable)).to.deep.equal([409, 'changed_meanwhile']);
  });

  it('issue an app key that is shown once', async () => {
    await addProduct();
    const form = await client().get(issue);
    const id = fieldIn(form.text, 'id');
    for (const scope of scopes) expect(form.text).to.match(new RegExp(`value="${scope}"\\s+checked`));
    const fields = { id, scopes: 'read:licenses', expiresAt: later(1000).toISOString() };
    const issued = await client().submit(issue, fields);
    const key = secretIn(issued.text);
    expect(outcomeOf(issued)).to.deep.equal([200, undefined]);
    expect(key).to.match(/^svc_sk_live_/);
    expect(issued.text).to.include('role="textbox" aria-readonly="true"').and.include('never shown again');
    const repeated = await client().submit(issue, fields);
    expect([repeated.status, secretIn(repeated.text)]).to.deep.equal([200, null]);
    expect(repeated.text).to.include('It is not shown again.');
    const { scopes: granted, productId, expiresAt } = (await findKey(id)) ?? {};
    expect([granted, productId, expiresAt]).to.deep.equal([['read:licenses'], 'prod_1', later(1000)]);
    expect(JSON.stringify(client().service.logged)).to.not.include(key ?? '');
    const page = await client().get(one);
    expect(page.text)
      .to.include(id)
      .and.include(`…${(key ?? '').slice(-4)}`)
      .and.not.include(key ?? '');
  });

  it('name the field of a new key that is wrong', async () => {
    await addProduct();
    const wrong = await client().submit(issue, { id: 'key 1', expiresAt: 'tomorrow' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    for (const field of ['id', 'scopes', 'expiresAt']) expect(wrong.text).to.include(`id="${field}-error"`);
    const early = await client().submit(issue, {
      id: 'key_a',
      scopes: 'read:licenses',
      expiresAt: later(-1).toISOString(),
    });
    expect(early.text).to.include('id="expiresAt-error">Expires must be later than now.');
    await client().submit(issue, { id: 'key_a', scopes: 'read:licenses' });
    await addProduct({ id: 'prod_2' });
    expect((await client().get(`${list}/prod_2`)).text).to.include('No app key yet');
    const taken = await client().submit(`${list}/prod_2/app-keys/issue`, { id: 'key_a', scopes: 'read:licenses' });
    expect(taken.text).to.include('id="id-error">Id is that of another app key.');
    expect(changesIn(client()).filter(({ command }) => command === 'key issue')).to.have.lengthOf(1);
  });

  it('rotate a key with an overlap, once', async () => {
    await addProduct();
    await client().submit(issue, { id: 'key_a', scopes: 'read:licenses' });
    const path = '/console/app-keys/key_a/rotate';
    const { text } = await client().get(path);
    expect([fieldIn(text, 'overlap'), fieldIn(text, 'newId')]).to.match(/^1d,key_/);
    const version = fieldIn(text, 'version');
    const wrong = await client().submit(path, { version, newId: '', overlap: 'long' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    expect(wrong.text).to.include('id="overlap-error"').and.include('id="newId-error"').and.include('value="long"');
    const fields = { version, newId: 'key_b', overlap: '2h' };
    expect(secretIn((await client().submit(path, fields)).text)).to.match(/^svc_sk_live_/);
    expect(secretIn((await client().submit(path, fields)).text)).to.equal(null);
    expect((await findKey('key_a'))?.expiresAt).to.deep.equal(later(7_200_000));
    expect((await findKey('key_b'))?.scopes).to.deep.equal(['read:licenses']);
  });

  it('revoke a key in two steps, once', async () => {
    await addProduct();
    await client().submit(issue, { id: 'key_a', scopes: 'read:licenses' });
    const path = '/console/app-keys/key_a/revoke';
    const { text } = await client().get(path);
    expect(text)
      .to.include('Revoke this app key?')
      .and.include('cannot be undone')
      .and.include('>Keep it<')
      .and.include('Rotate it');
    const version = fieldIn(text, 'version');
    expect((await client().submit(path)).status).to.equal(409);
    for (const _ of [1, 2]) {
      expect(outcomeOf(await client().submit(path, { version }))).to.deep.equal([303, `${one}?done=revoked`]);
    }
    expect(changesIn(client()).filter(({ command }) => command === 'key revoke')).to.have.lengthOf(1);
    expect((await client().get(`${one}?done=revoked`)).text)
      .to.include('The app key was revoked.')
      .and.include('Revoked');
    expect(outcomeOf(await client().get('/console/app-keys/key_a/rotate'))).to.deep.equal([409, 'app_key_ended']);
  });

  it('escape what others have written', async () => {
    await addProduct({ name: hostile });
    for (const path of [list, one, `${one}/rename`, issue]) {
      expect((await client().get(path)).text)
        .to.include('&lt;script&gt;')
        .and.not.include('<script>');
    }
  });

  it('answer 404 for what there is not, and say that nothing was changed', async () => {
    for (const path of [`${list}/prod_9`, `${list}/prod_9/app-keys/issue`, '/console/app-keys/key_9/revoke']) {
      const page = await client().get(path);
      expect(page.status).to.equal(404);
      expect(page.text).to.include('Nothing was changed.');
    }
  });

  it('show a reader no change, and refuse it', async () => {
    await addProduct();
    await client().submit(issue, { id: 'key_a', scopes: 'read:licenses' });
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    for (const path of [list, one]) expect(changesOn((await client().get(path)).text)).to.deep.equal([]);
    const refused = await client().submit(issue, { id: 'key_b', scopes: 'read:licenses' });
    expect(outcomeOf(refused)).to.deep.equal([403, 'insufficient_scope']);
    expect(refused.text).to.include('admin:access').and.include('Nothing was changed');
  });
});
