import { expect } from 'chai';
import type { Entitlement } from '../../../../../core/entitlement/entitlement.ts';
import { aLicense, aOneTimePurchase, aSubscription, day, hour, later, noon } from '../../../../support/builders.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, type ConsoleClient } from '../../../../support/web/console-client.ts';
import { fieldIn } from '../../../../support/web/console-pages.ts';

const path = '/console/entitlements/ent_1';
const end = new Date('2026-08-18T12:00:00Z');
const start = new Date('2026-07-18T12:00:00Z');

/** A month that ends at noon of 18 August, with a grace of three days. */
const monthly = (more: object = {}): Entitlement =>
  aSubscription({
    id: 'ent_1',
    license: aLicense(),
    sequence: 1,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    graceUntil: new Date(end.getTime() + 3 * day),
    ...more,
  });

async function stored(client: ConsoleClient): Promise<Entitlement> {
  const [entitlement] = await client.service.stored();
  if (entitlement === undefined) throw new Error('nothing is stored');
  return entitlement;
}

/** The choices on a page, with their ends. */
function choicesOn(text: string): readonly (readonly string[])[] {
  const rows = [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) => row);
  return rows
    .filter((row) => row.includes('type="radio"'))
    .map((row) => [
      /value="([^"]*)"/.exec(row)?.[1] ?? '',
      row.includes('checked') ? 'chosen' : '',
      ...[...row.matchAll(/<label for="by-[^"]*"\s*>([^<]*)<\/label\s*>|<span class="num">([^<]*)<\/span\s*>/g)].map(
        ([, label, until]) => label ?? until ?? '',
      ),
    ]);
}

describe('the page that extends an entitlement', () => {
  const client = freshConsole(memory);

  it('offers seven days, a month and a date, each with its end, and says what it does', async () => {
    await client().service.grant(monthly());
    await client().signIn();
    const { status, text } = await client().get(`${path}/extend`);
    expect(status).to.equal(200);
    expect(choicesOn(text)).to.deep.equal([
      ['7d', '', '7 more days', 'until 25 August 2026'],
      ['1m', 'chosen', '1 more month', 'until 18 September 2026'],
      ['until', '', 'To a date, in UTC', ''],
    ]);
    const flat = text.replaceAll(/<\/?(?:bdi|span|time)[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(flat)
      .to.include('<h1>Extend this entitlement?</h1>')
      .and.include('<dt>Ends now</dt> <dd>18 August 2026, 12:00 UTC in 4 weeks</dd>')
      .and.include('opens for this buyer until the new end, and the grace after it. Nobody is charged.')
      .and.include('value="2026-09-18T12:00"')
      .and.include('Leave it as it is');
    expect(text).to.include('<div class="note">').and.not.include('note warn');
  });

  for (const [what, terms, choice] of [
    ['a year', { billingInterval: 'year' }, ['period', '', '1 more year', 'until 18 August 2027']],
    ['a quarter', { billingIntervalCount: 3 }, ['period', '', '3 more months', 'until 18 November 2026']],
    ['a week', { billingInterval: 'week' }, ['period', '', '1 more week', 'until 25 August 2026']],
  ] as const) {
    it(`also offers the period where it is ${what}`, async () => {
      await client().service.grant(monthly(terms));
      await client().signIn();
      expect(choicesOn((await client().get(`${path}/extend`)).text)[2]).to.deep.equal(choice);
    });
  }

  it('counts from now where the end has passed', async () => {
    await client().service.grant(monthly({ currentPeriodEnd: later(-day), graceUntil: later(-hour) }));
    await client().signIn();
    const { text } = await client().get(`${path}/extend`);
    expect(choicesOn(text)[0]).to.deep.equal(['7d', '', '7 more days', 'until 25 July 2026']);
    expect(text).to.include('<dt>Ended</dt>');
    const form = { version: '1', by: '7d', from: fieldIn(text, 'from') };
    expect(outcomeOf(await client().submit(`${path}/extend`, form))).to.deep.equal([303, `${path}?done=extend`]);
    expect(await stored(client())).to.deep.include({ currentPeriodEnd: later(7 * day) });
  });

  it('is where the page of a renewal leads, and the action of the entitlement', async () => {
    await client().service.grant(monthly());
    await client().signIn();
    expect(outcomeOf(await client().get(`${path}/renew`))).to.deep.equal([303, `${path}/extend`]);
    const { text } = await client().get(path);
    expect(text).to.include(`href="${path}/extend"`).and.include('<strong>Extend</strong>').and.not.include('Renew<');
  });

  it('does not say that a suspended one opens', async () => {
    await client().service.grant(monthly({ hold: { kind: 'suspended' } }));
    await client().signIn();
    const { text } = await client().get(`${path}/extend`);
    expect(text).to.include('The entitlement stays suspended').and.not.include('opens for this buyer');
  });
});

describe('extending an entitlement', () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    await client().signIn();
  });

  const extend = (form: Readonly<Record<string, string>>) =>
    client().submit(`${path}/extend`, { version: '1', ...form });

  for (const [form, expected] of [
    [{ by: '7d' }, '2026-08-25T12:00:00.000Z'],
    [{ by: '1m' }, '2026-09-18T12:00:00.000Z'],
    [{ by: 'until', until: '2026-08-20T09:30' }, '2026-08-20T09:30:00.000Z'],
    [{ by: 'until', until: '2026-11-19T12:00' }, '2026-11-19T12:00:00.000Z'],
  ] as const) {
    it(`keeps the start of the period and the grace, once: ${JSON.stringify(form)}`, async () => {
      await client().service.grant(monthly());
      const { text } = await client().get(`${path}/extend`);
      const sent = { ...form, from: fieldIn(text, 'from') };
      for (const _ of [1, 2]) expect(outcomeOf(await extend(sent))).to.deep.equal([303, `${path}?done=extend`]);
      const currentPeriodEnd = new Date(expected);
      const graceUntil = new Date(currentPeriodEnd.getTime() + 3 * day);
      const made = { currentPeriodStart: start, currentPeriodEnd, graceUntil, version: 2 };
      expect(await stored(client())).to.deep.include(made);
      const page = await client().get(`${path}?done=extend`);
      expect(page.text).to.include('The entitlement was extended.').and.include('Renewed');
    });
  }

  it('asks once more about an end that is far away, for that very end', async () => {
    await client().service.grant(monthly());
    const far = { by: 'until', until: '2728-11-01T00:00' };
    const asked = await extend(far);
    expect(asked.status).to.equal(200);
    const flat = asked.text.replaceAll(/\s+/g, ' ');
    expect(flat)
      .to.include('<h1>Extend it by 702 years?</h1>')
      .and.include('The new end is more than three periods away.')
      .and.include('It would end on 1 November 2728, in 702 years. A period of this entitlement is one month.')
      .and.include('>Extend to 1 November 2728</button')
      .and.include(`href="${path}/extend">Choose again</a>`);
    expect(fieldIn(asked.text, 'sure')).to.equal('2728-11-01T00:00:00.000Z');
    for (const sure of ['', 'x', '2628-11-01T00:00:00.000Z']) {
      expect((await extend({ ...far, sure })).text, sure).to.include('Extend it by 702 years?');
    }
    expect(
      (await extend({ by: 'until', until: '2729-11-01T00:00', sure: '2728-11-01T00:00:00.000Z' })).status,
    ).to.equal(200);
    expect((await stored(client())).version).to.equal(1);
    const sent = await extend({ ...far, sure: fieldIn(asked.text, 'sure') });
    expect(outcomeOf(sent)).to.deep.equal([303, `${path}?done=extend`]);
    expect(await stored(client())).to.deep.include({
      currentPeriodEnd: new Date('2728-11-01T00:00:00Z'),
      version: 2,
    });
  });

  it('asks once more about an earlier end, and makes it a change to the same tier, once', async () => {
    await client().service.grant(monthly());
    const earlier = { by: 'until', until: '2026-08-01T12:00' };
    const asked = await extend(earlier);
    expect(asked.status).to.equal(200);
    const flat = asked.text.replaceAll(/\s+/g, ' ');
    expect(flat)
      .to.include('<h1>Shorten this entitlement?</h1>')
      .and.include('The new end is earlier than now’s.')
      .and.include('Access ends on 1 August 2026, 17 days before 18 August. Returns no money.')
      .and.include('>Shorten to 1 August 2026</button');
    expect((await stored(client())).version).to.equal(1);
    const sure = { ...earlier, sure: fieldIn(asked.text, 'sure') };
    for (const _ of [1, 2]) expect(outcomeOf(await extend(sure))).to.deep.equal([303, `${path}?done=shortened`]);
    expect(await stored(client())).to.deep.include({
      currentPeriodStart: start,
      currentPeriodEnd: new Date('2026-08-01T12:00:00Z'),
      graceUntil: new Date('2026-08-04T12:00:00Z'),
      version: 2,
    });
    const { text } = await client().get(`${path}?done=shortened`);
    expect(text).to.include('The entitlement was shortened.');
  });

  it('extends and shortens the access of a purchase', async () => {
    await client().service.grant(
      aOneTimePurchase({ id: 'ent_1', accessEndsAt: end, license: aLicense(), sequence: 1 }),
    );
    const { text } = await client().get(`${path}/extend`);
    expect(choicesOn(text).map(([by]) => by)).to.deep.equal(['7d', '1m', 'until']);
    expect(text).to.include('until the new end. Nobody').and.not.include('grace after it');
    await extend({ by: '7d', from: fieldIn(text, 'from') });
    expect(await stored(client())).to.deep.include({ accessEndsAt: new Date('2026-08-25T12:00:00Z'), version: 2 });
    const shorter = { version: '2', by: 'until', until: '2026-08-02T00:00', sure: '2026-08-02T00:00:00Z' };
    expect(outcomeOf(await client().submit(`${path}/extend`, shorter))).to.deep.equal([303, `${path}?done=shortened`]);
    expect(await stored(client())).to.deep.include({ accessEndsAt: new Date('2026-08-02T00:00:00Z'), version: 3 });
    const far = await client().submit(`${path}/extend`, { version: '3', by: 'until', until: '2728-08-02T00:00' });
    expect(far.text).to.include('more than three months away').and.not.include('A period of this');
  });

  it('changes nothing for the present end', async () => {
    await client().service.grant(monthly());
    const same = await extend({ by: 'until', until: '2026-08-18T12:00' });
    expect(outcomeOf(same)).to.deep.equal([303, `${path}?done=nothing`]);
    expect((await stored(client())).version).to.equal(1);
  });
});

describe('the form of an extension', () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    await client().service.grant(monthly());
    await client().signIn();
  });

  for (const [form, message] of [
    [{}, 'For how long must be one of 7d, 1m, period, until.'],
    [{ by: '2y' }, 'For how long must be one of 7d, 1m, period, until.'],
    [{ by: 'period' }, 'For how long must be one of those on the page.'],
    [{ by: 'until' }, 'New end is missing.'],
    [{ by: 'until', until: 'soon' }, 'New end must be an instant'],
    [{ by: 'until', until: noon.toISOString() }, 'New end must be later than now.'],
    [{ by: 'until', until: '2026-07-18T11:59', sure: '2026-07-18T11:59:00Z' }, 'New end must be later than now.'],
    [{ by: '7d', from: '2026-07-01T00:00:00Z' }, 'New end must be later than now.'],
  ] as const) {
    it(`is shown again with what is wrong: ${JSON.stringify(form)}`, async () => {
      const page = await client().submit(`${path}/extend`, { version: '1', ...form });
      expect(outcomeOf(page)).to.deep.equal([400, 'invalid_body']);
      expect(page.text).to.include('<h1>Extend this entitlement?</h1>').and.include(message);
      expect((await stored(client())).version).to.equal(1);
    });
  }

  it('of an entitlement that was extended by another form shows what has changed, and takes no further step', async () => {
    const { text } = await client().get(`${path}/extend`);
    const seen = { version: '1', from: fieldIn(text, 'from') };
    await client().submit(`${path}/extend`, { ...seen, by: '7d' });
    for (const by of ['1m', 'until'] as const) {
      const stale = await client().submit(`${path}/extend`, { ...seen, by, until: '2728-01-01T00:00' });
      expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
      expect(stale.text).to.include('You were about to extend').and.include('Extend it all the same');
    }
    expect((await stored(client())).version).to.equal(2);
  });

  it('asks for a second look at whatever a page from elsewhere counts from', async () => {
    const asked = await client().submit(`${path}/extend`, { version: '1', by: '7d', from: '2700-01-01T00:00:00Z' });
    expect([asked.status, asked.text.includes('Extend it by')]).to.deep.equal([200, true]);
    expect((await stored(client())).version).to.equal(1);
  });
});
