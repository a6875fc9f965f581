import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';
import { signUpsIn } from '../../support/stores/whole-lists.ts';
import { getPage, lastingParts, sendForm } from '../../support/web/page-client.ts';

function isOpen(text: string): boolean {
  return /<details class="more"\s+open>/.test(text);
}

describe("the waitlist's page", () => {
  const service = freshService(memory);
  const url = (): string => `${service().url}/waitlist`;
  const joined = async (): Promise<readonly object[]> => {
    const entries = await signUpsIn({ waitlist: service().container.get(tokens.waitlist) });
    return entries.map(({ email, name, handle, role }) => ({ email, name, handle, role }));
  };

  it('has a form that needs no script', async () => {
    const { status, text } = await getPage(url());
    expect(status).to.equal(200);
    expect(text)
      .to.match(/<form method="post" action="\/waitlist" novalidate>/)
      .and.not.include('<script type="module"');
  });

  it('asks for the address, and folds the rest unless something was typed there or is wrong', async () => {
    const { text } = await getPage(url());
    expect(text).to.include('<summary>Tell us who you are (optional)').and.include('aria-current="page">Waitlist</a>');
    expect(text.indexOf('id="email"')).to.be.below(text.indexOf('<details'));
    expect(text.indexOf('id="name"')).to.be.within(text.indexOf('<details'), text.indexOf('</details>'));
    expect(isOpen(text)).to.equal(false);
    expect(isOpen((await sendForm(url(), { email: 'ada', name: '', role: '' })).text)).to.equal(false);
    expect(isOpen((await sendForm(url(), { email: 'ada', handle: '@ada' })).text)).to.equal(true);
    expect(isOpen((await sendForm(url(), { email: 'ada@example.com', role: 'king' })).text)).to.equal(true);
  });

  it('adds an entry without the fields that were left empty, and redirects', async () => {
    const fields = { email: ' ada@example.com ', name: '', handle: '@ada', role: 'creator' };
    const { status, headers, text } = await sendForm(url(), fields);
    expect([status, headers['location'], text]).to.deep.equal([303, '/waitlist/joined', '']);
    expect(headers).to.include({ 'cache-control': 'no-store' });
    expect(await joined()).to.deep.equal([{ email: 'ada@example.com', name: null, handle: '@ada', role: 'creator' }]);
    expect((await getPage(`${url()}/joined`)).text).to.include('<h1>You are on the waitlist</h1>');
  });

  it('answers the same for an address that is on it already', async () => {
    const first = await sendForm(url(), { email: 'ada@example.com' });
    const second = await sendForm(url(), { email: 'ADA@example.com', name: 'Eve' });
    expect(lastingParts(second)).to.deep.equal(lastingParts(first));
    expect(await joined()).to.deep.equal([{ email: 'ada@example.com', name: null, handle: null, role: null }]);
  });

  for (const email of ['', 'ada', 'ada@localhost', 'ada@example.com, eve@example.com', '"><script>alert(1)</script>']) {
    it(`shows the form again, as it was filled in, where the address is ${JSON.stringify(email)}`, async () => {
      const { status, headers, text } = await sendForm(url(), { email, name: 'Ada & Co', role: 'both' });
      expect([status, headers['error-code'], headers['cache-control']]).to.deep.equal([
        400,
        'invalid_email',
        'no-store',
      ]);
      expect(text).to.include('Enter a valid e-mail address').and.include('aria-invalid="true"');
      expect(text)
        .to.include('value="Ada &amp; Co"')
        .and.match(/value="both"\s+selected/)
        .and.not.include('<script>alert');
      expect(await joined()).to.deep.equal([]);
    });
  }

  it('names the field that is wrong', async () => {
    const long = await sendForm(url(), { email: 'ada@example.com', name: 'x'.repeat(201) });
    expect([long.status, long.headers['error-code']]).to.deep.equal([400, 'invalid_body']);
    expect(long.text).to.include('id="name-error"').and.include('name must be a string of at most 200 characters');
    const role = await sendForm(url(), { email: 'ada@example.com', role: 'king' });
    expect([role.status, role.headers['error-code']]).to.deep.equal([400, 'invalid_body']);
    expect(role.text).to.include('role must be one of creator, brand, both.');
    expect(await joined()).to.deep.equal([]);
  });

  for (const [what, headers] of [
    ['another site', { Origin: 'https://evil.example' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a site that is not even one', { Origin: 'not a URL' }],
    ['another site, as the browser says', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sister site, as the browser says', { 'Sec-Fetch-Site': 'same-site' }],
  ] as const) {
    it(`refuses a form of ${what}`, async () => {
      const { status, headers: fields, text } = await sendForm(url(), { email: 'ada@example.com' }, headers);
      expect([status, fields['error-code']]).to.deep.equal([403, 'foreign_origin']);
      expect(text).to.include('<h1>Not allowed</h1>');
      expect(await joined()).to.deep.equal([]);
    });
  }

  for (const [what, headers] of [
    ['its own page, as the browser says', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
    ['a client that is no browser', {}],
  ] as const) {
    it(`takes a form of ${what}`, async () => {
      expect((await sendForm(url(), { email: 'ada@example.com' }, headers)).status).to.equal(303);
      expect(await joined()).to.have.length(1);
    });
  }

  it('takes forms only, of a limited size, and no method but its own', async () => {
    const origin = { Origin: service().url };
    const json = { ...origin, 'Content-Type': 'application/json' };
    const asJson = await getPage(url(), { method: 'POST', headers: json, body: '{"email":"ada@example.com"}' });
    expect([asJson.status, asJson.headers['error-code'], asJson.headers['accept']]).to.deep.equal([
      415,
      'unsupported_media_type',
      'application/x-www-form-urlencoded',
    ]);
    expect((await sendForm(url(), { email: 'x'.repeat(17_000) })).status).to.equal(413);
    const form = { ...origin, 'Content-Type': 'application/x-www-form-urlencoded' };
    const encoded = await getPage(url(), {
      method: 'POST',
      headers: { ...form, 'Content-Encoding': 'gzip' },
      body: 'x',
    });
    expect(encoded.status).to.equal(415);
    expect((await getPage(url(), { method: 'DELETE' })).headers['allow']).to.equal('GET, HEAD, POST, OPTIONS');
    expect(await joined()).to.deep.equal([]);
  });
});
