import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import type { Entitlement } from '../../../../../core/entitlement/entitlement.ts';
import { snapshotAt } from '../../../../../core/entitlement/snapshot.ts';
import {
  aCall,
  aLicense,
  aOneTimePurchase,
  aSubscription,
  day,
  hour,
  later,
  noon,
} from '../../../../support/builders.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, sharedConsole, type ConsoleClient } from '../../../../support/web/console-client.ts';

const path = '/console/entitlements/ent_1';
const license = aLicense();
const cancellation = { at: new Date('2026-08-01T00:00:00Z'), requestedAt: noon };

interface Change {
  readonly action: string;
  readonly entitlement?: Entitlement;
  readonly form?: Readonly<Record<string, string>>;
  readonly question: string;
  readonly button: string;
  readonly done: string;
  /** Members of the snapshot that the change has made. */
  readonly makes: object;
}

const changes: readonly Change[] = [
  {
    action: 'extend',
    form: { by: 'until', until: '2026-09-01T00:00' },
    question: 'Extend this entitlement?',
    button: 'Extend entitlement',
    done: 'The entitlement was extended.',
    makes: { currentPeriodEnd: new Date('2026-09-01T00:00:00Z') },
  },
  {
    action: 'extend',
    entitlement: aOneTimePurchase({ id: 'ent_1', accessEndsAt: later(day), license, sequence: 1 }),
    form: { by: 'until', until: '2026-09-01T00:00' },
    question: 'Extend this entitlement?',
    button: 'Extend entitlement',
    done: 'The entitlement was extended.',
    makes: { accessEndsAt: new Date('2026-09-01T00:00:00Z') },
  },
  {
    action: 'change-tier',
    entitlement: aOneTimePurchase({ id: 'ent_1', license, sequence: 1 }),
    form: { tierId: 'team', tierName: 'Team', currentPeriodEnd: '2026-09-01T00:00', updatesUntil: '2026-08-01T00:00' },
    question: 'Change the tier?',
    button: 'Change tier',
    done: 'The tier was changed.',
    makes: {
      tierId: 'team',
      accessEndsAt: new Date('2026-09-01T00:00:00Z'),
      updatesUntil: new Date('2026-08-01T00:00:00Z'),
    },
  },
  {
    action: 'change-tier',
    form: { tierId: 'team', tierName: 'Team', billingInterval: 'year' },
    question: 'Change the tier?',
    button: 'Change tier',
    done: 'The tier was changed.',
    makes: { tierId: 'team', tierName: 'Team', billingInterval: 'year' },
  },
  {
    action: 'allow',
    form: { deviceLimit: '5' },
    question: 'Change the limit of devices?',
    button: 'Change the limit',
    done: 'The limit of devices was changed.',
    makes: { deviceLimit: 5 },
  },
  {
    action: 'allow',
    entitlement: aOneTimePurchase({ id: 'ent_1', deviceLimit: 3, license, sequence: 1 }),
    form: { deviceLimit: 'unlimited' },
    question: 'Change the limit of devices?',
    button: 'Change the limit',
    done: 'The limit of devices was changed.',
    makes: { deviceLimit: null },
  },
  {
    action: 'suspend',
    question: 'Suspend this entitlement?',
    button: 'Suspend entitlement',
    done: 'The entitlement was suspended.',
    makes: { status: 'suspended' },
  },
  {
    action: 'reinstate',
    entitlement: aSubscription({ hold: { kind: 'suspended' }, license, sequence: 1 }),
    question: 'Reinstate this entitlement?',
    button: 'Reinstate entitlement',
    done: 'The entitlement was reinstated.',
    makes: { status: 'active' },
  },
  {
    action: 'cancel',
    question: 'Cancel at the end of the period?',
    button: 'Cancel entitlement',
    done: 'The cancellation was scheduled.',
    makes: { cancelAt: cancellation.at },
  },
  {
    action: 'resume',
    entitlement: aSubscription({ cancellation, license, sequence: 1 }),
    question: 'Resume this entitlement?',
    button: 'Resume entitlement',
    done: 'The cancellation was undone.',
    makes: { cancelAt: null },
  },
  {
    action: 'revoke',
    question: 'Revoke this entitlement?',
    button: 'Revoke entitlement',
    done: 'The entitlement was revoked.',
    makes: { status: 'revoked' },
  },
  {
    action: 'revoke-license',
    question: 'Revoke the license?',
    button: 'Revoke license',
    done: 'The license was revoked.',
    makes: { status: 'active' },
  },
];

/** The stored entitlement. */
async function storedIn(client: ConsoleClient): Promise<Entitlement> {
  const [stored] = await client.service.stored();
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
}

describe('changes of an entitlement on the console', () => {
  const client = freshConsole(memory);

  for (const { action, form = {}, entitlement, question, button, done, makes } of changes) {
    it(`are asked about and made once: ${action}`, async () => {
      await client().service.grant(entitlement ?? aSubscription({ license, sequence: 1 }));
      await client().signIn();
      const asked = await client().get(`${path}/${action}`);
      expect(asked.status).to.equal(200);
      expect(asked.text).to.include(`<h1>${question}</h1>`).and.include('name="version" value="1"');
      const title = action === 'extend' ? 'Extend · ent_1' : `${question} ent_1`;
      expect(asked.text).to.include(`<title>${title} · Latchkey console</title>`);
      expect(asked.text).to.match(new RegExp(`<button[^>]*>\\s*${button}`));
      expect((await storedIn(client())).version).to.equal(1);

      const done303 = [303, `${path}?done=${action}`];
      expect(outcomeOf(await client().submit(`${path}/${action}`, { version: '1', ...form }))).to.deep.equal(done303);
      const stored = await storedIn(client());
      expect(stored.version).to.equal(2);
      expect(snapshotAt(stored, noon)).to.deep.include(makes);
      expect((await client().get(`${path}?done=${action}`)).text).to.include(`<strong>${done}</strong>`);

      expect(outcomeOf(await client().submit(`${path}/${action}`, { version: '1', ...form }))).to.deep.equal(done303);
      expect((await storedIn(client())).version).to.equal(2);
      const [entry] = await client().service.container.get(tokens.entitlementHistory).list('ent_1', aCall());
      expect(entry?.by).to.equal('operator:opk_1');
      const posts = client().service.logged.filter(
        ({ entitlementId, status }) => entitlementId === 'ent_1' && status === 303,
      );
      expect(posts.length).to.equal(2);
    });
  }
});

describe('a change of an entitlement that has changed meanwhile', () => {
  const client = sharedConsole(memory);

  before(async () => {
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    await client().service.change('ent_1/cancel', 'key-00000001');
    await client().signIn();
  });

  for (const [action, form] of [
    ['extend', { by: 'until', until: '2026-09-01T00:00' }],
    ['change-tier', { tierId: 'team', tierName: 'Team' }],
    ['allow', { deviceLimit: '5' }],
    ['suspend', {}],
    ['cancel', {}],
    ['revoke', {}],
    ['rotate-license', {}],
    ['revoke-license', {}],
    ['link', {}],
    ['receipt', {}],
  ] as const) {
    it(`is not made, and shows what was seen beside what is: ${action}`, async () => {
      const stale = await client().submit(`${path}/${action}`, { version: '1', ...form });
      expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
      expect(stale.text)
        .to.include('<h1>It changed while you were looking</h1>')
        .and.include('You saw')
        .and.include('None, renews on 1 August')
        .and.include('1 August 2026')
        .and.match(/app key <span class="mono">key_1<\/span>/)
        .and.include('Nothing was');
      const isPossible = !['extend', 'cancel'].includes(action); // of what is canceled
      expect(stale.text.includes(`href="${path}/${action}">`)).to.equal(isPossible);
      expect((await storedIn(client())).version).to.equal(2);
    });
  }

  for (const version of ['', '0', '-1', '1.5', 'two', '1'.repeat(20)]) {
    it(`needs the version that was shown, and not ${JSON.stringify(version)}`, async () => {
      const refused = await client().submit(`${path}/suspend`, { version });
      expect(outcomeOf(refused)).to.deep.equal([400, 'invalid_parameter']);
      expect(refused.text).to.include('Nothing was changed.');
      expect((await storedIn(client())).version).to.equal(2);
    });
  }
});

describe('a change of an entitlement that was made with other values', () => {
  const client = freshConsole(memory);

  it('is not made again by an operator who sends other values', async () => {
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    await client().signIn();
    const form = { tierId: 'team', tierName: 'Team' };
    await client().submit(`${path}/change-tier`, { version: '1', ...form });
    const other = await client().submit(`${path}/change-tier`, { version: '1', ...form, tierId: 'solo' });
    expect(outcomeOf(other)).to.deep.equal([409, 'changed_meanwhile']);
    expect((await storedIn(client())).tierId).to.equal('team');
  });
});

describe('a change of a purchase whose end has changed meanwhile', () => {
  const client = freshConsole(memory);

  it('is not made, and shows both ends', async () => {
    await client().service.grant(aOneTimePurchase({ id: 'ent_1', license, sequence: 1 }));
    await client().signIn();
    const ends = { currentPeriodEnd: '2026-09-01T00:00', updatesUntil: '2026-08-03T00:00' };
    await client().submit(`${path}/change-tier`, { version: '1', tierId: 'pro', tierName: 'Pro', ...ends });
    const stale = await client().submit(`${path}/suspend`, { version: '1' });
    expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
    expect(stale.text)
      .to.match(/Never ends.*1 September 2026/s)
      .and.match(/Updates until.*Not set.*3 August 2026/s);
  });
});

describe('wrong input in a change of an entitlement', () => {
  const client = sharedConsole(memory);

  before(async () => {
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    await client().signIn();
  });

  type Wrong = readonly [action: string, form: Readonly<Record<string, string>>, message: string];
  const cases: readonly Wrong[] = [
    ['extend', { by: 'until' }, 'New end is missing.'],
    ['extend', { by: 'until', until: 'tomorrow' }, 'New end must be an instant with Z or an offset'],
    ['extend', { by: 'until', until: '2026-07-01T00:00' }, 'New end must be later than now'],
    ['change-tier', { tierId: '..', tierName: 'Team' }, 'Tier id must be 1 to 128 characters out of'],
    ['change-tier', { tierId: 'team', tierName: 'a\tb' }, 'Tier name must be 1 to 200 characters'],
    ['change-tier', { tierId: 'a', tierName: 'b', billingInterval: 'hour' }, 'Billing must be one of day'],
    ...['0', '10001', 'all', '1.5', ''].map((deviceLimit): Wrong => [
      'allow',
      { deviceLimit },
      deviceLimit === ''
        ? 'Devices is missing.'
        : 'Devices must be a whole number from 1 to 10000, unlimited, or tier.',
    ]),
    ['rotate-license', { licenseKey: 'short' }, 'License key must have'],
    ...['4m', '25h', '1', 'x'].map((expires): Wrong => ['link', { expires }, 'Works for must be a whole number with']),
    ['receipt', { expires: '9999d' }, 'Holds for at most must not be longer than the setting RECEIPT_MAX_AGE.'],
    ['receipt', { expires: '1y' }, 'Holds for at most must be a whole number'],
  ];
  for (const [action, form, message] of cases) {
    it(`shows the form again: ${action} with ${JSON.stringify(form)}`, async () => {
      const page = await client().submit(`${path}/${action}`, { version: '1', ...form });
      expect(outcomeOf(page)).to.deep.equal([400, 'invalid_body']);
      expect(page.text).to.include(`<p class="error"`).and.include(message).and.include('aria-invalid="true"');
      expect((await storedIn(client())).version).to.equal(1);
    });
  }

  it('shows what was typed, but no key', async () => {
    const form = { version: '1', tierId: '"><i>', tierName: 'Ada & Co' };
    const { text } = await client().submit(`${path}/change-tier`, form);
    expect(text).to.include('value="&quot;&gt;&lt;i&gt;"').and.include('value="Ada &amp; Co"');
    const rotation = await client().submit(`${path}/rotate-license`, { version: '1', licenseKey: 'typed-key' });
    expect(rotation.text).not.to.include('typed-key');
  });
});

describe('a change that the state of an entitlement does not allow', () => {
  const client = freshConsole(memory);

  for (const [action, entitlement] of [
    ['resume', aSubscription()],
    ['suspend', aSubscription({ hold: { kind: 'suspended' } })],
    ['revoke', aSubscription({ hold: { kind: 'revoked', at: noon } })],
    ['allow', aSubscription({ hold: { kind: 'revoked', at: noon } })],
    ['extend', aOneTimePurchase({ id: 'ent_1' })],
    ['revoke-license', aSubscription()],
    ['receipt', aSubscription({ license: aLicense({ revokedAt: noon }) })],
  ] as const) {
    it(`has no form: ${action}`, async () => {
      await client().service.grant(entitlement);
      await client().signIn();
      const { status, text } = await client().get(`${path}/${action}`);
      expect(status).to.equal(409);
      expect(text).to.include('This cannot be done now').and.not.include('name="version"');
    });
  }

  for (const [action, form, entitlement, code] of [
    ['extend', { by: 'until', until: '2026-09-01T00:00' }, aOneTimePurchase({ id: 'ent_1' }), 'not_a_subscription'],
    ['extend', { by: '7d' }, aSubscription({ cancellation }), 'cancellation_scheduled'],
    ['allow', { deviceLimit: '5' }, aSubscription({ hold: { kind: 'revoked', at: noon } }), 'entitlement_ended'],
    ['suspend', {}, aSubscription({ graceUntil: later(-hour), currentPeriodEnd: later(-day) }), 'entitlement_ended'],
    ['revoke-license', {}, aSubscription(), 'license_not_found'],
    ['receipt', {}, aSubscription(), 'license_not_found'],
    ['receipt', {}, aSubscription({ license, hold: { kind: 'suspended' } }), 'no_access'],
  ] as const) {
    it(`is refused with ${code}, and the page says that nothing was changed: ${action}`, async () => {
      await client().service.grant(entitlement);
      await client().signIn();
      const refused = await client().submit(`${path}/${action}`, { version: '1', ...form });
      expect(refused.headers['error-code']).to.equal(code);
      expect(refused.text).to.include('Nothing was changed.').and.include(code);
      expect((await storedIn(client())).version).to.equal(1);
    });
  }

  it('says so where it would change nothing', async () => {
    await client().service.grant(aSubscription({ hold: { kind: 'suspended' } }));
    await client().signIn();
    const same = await client().submit(`${path}/suspend`, { version: '1' });
    expect(outcomeOf(same)).to.deep.equal([303, `${path}?done=nothing`]);
    expect((await client().get(`${path}?done=nothing`)).text).to.include('Nothing was changed: it was already so.');
  });

  it('is not found for an id that there is not', async () => {
    await client().signIn();
    expect(outcomeOf(await client().get(`${path}/revoke`))).to.deep.equal([404, 'entitlement_not_found']);
    const refused = await client().submit(`${path}/revoke`, { version: '1' });
    expect(outcomeOf(refused)).to.deep.equal([404, 'entitlement_not_found']);
  });
});
