import { expect } from 'chai';
import type { DeliveryEffect } from '../../../../core/webhook/stream/delivery-effect.ts';
import type { PendingEvents } from '../../../../core/webhook/stream/delivery-stream.ts';
import { afterCommand, setAside, takenBack, wakes } from '../../../../core/webhook/stream/set-aside.ts';
import { later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { aStream } from '../../../support/webhooks/builders.ts';

const none: ReadonlySet<string> = new Set();
const events = (at: Date | null, ...positions: readonly number[]): PendingEvents => ({ positions, attempt: 1, at });
const effect = (mark: string): DeliveryEffect => ({ at: noon, mark, unseen: [], keptAt: noon });
const nothing = { waiting: 0, parked: 0, wakeAt: null };

describe('what a stream sets aside', () => {
  const due = events(noon, 1);
  const soon = events(later(5), 2, 3);
  const late = events(later(9), 4);
  const parked = events(null, 5, 6, 7);
  const full = aStream({
    pending: new Map([
      ['due', due],
      ['late', late],
      ['soon', soon],
      ['parked', parked],
    ]),
    effects: new Map([
      ['soon', effect('soon')],
      ['due', effect('due')],
    ]),
  });

  it('is what is not due, with its effect, counted by events', () => {
    const { stream, put } = setAside(full, none, noon);
    expect([...stream.pending]).to.deep.equal([['due', due]]);
    expect([...stream.effects]).to.deep.equal([['due', effect('due')]]);
    expect(stream.aside).to.deep.equal({ waiting: 3, parked: 3, wakeAt: later(5) });
    expect(new Map(put)).to.deep.equal(
      new Map([
        ['late', { ...late, effect: null }],
        ['soon', { ...soon, effect: effect('soon') }],
        ['parked', { ...parked, effect: null }],
      ]),
    );
  });

  it('wakes with the first of all that is aside', () => {
    const before = { waiting: 2, parked: 1, wakeAt: later(3) };
    expect(setAside({ ...full, aside: before }, none, noon).stream.aside).to.deep.equal({
      waiting: 5,
      parked: 4,
      wakeAt: later(3),
    });
    const onlyParked = aStream({ pending: new Map([['parked', parked]]) });
    expect(setAside(onlyParked, none, noon).stream.aside).to.deep.equal({ ...nothing, parked: 3 });
  });

  it('is nothing in flight, and nothing where all is due', () => {
    expect([...setAside(full, new Set(['late', 'parked']), noon).put.keys()]).to.deep.equal(['soon']);
    const allDue = aStream({ pending: new Map([['due', due]]) });
    const { stream, put } = setAside(allDue, none, noon);
    expect([stream === allDue, put.size]).to.deep.equal([true, 0]);
  });

  it('is what is due beyond a thousand', () => {
    const pending = new Map(range(1002).map((number) => [`ent_${number}`, events(noon, number + 1)]));
    const { stream, put } = setAside(aStream({ pending }), none, noon);
    expect([stream.pending.size, [...put.keys()]]).to.deep.equal([1000, ['ent_1000', 'ent_1001']]);
  });

  it('comes back as it was', () => {
    const { stream, put } = setAside(full, none, noon);
    const back = takenBack(stream, put);
    expect(new Map(back.pending)).to.deep.equal(new Map(full.pending));
    expect(new Map(back.effects)).to.deep.equal(new Map(full.effects));
    expect([back.aside.waiting, back.aside.parked]).to.deep.equal([0, 0]);
  });

  it('keeps its time while anything is aside, and is never less than nothing', () => {
    const aside = { waiting: 1, parked: 9, wakeAt: later(3) };
    const rows = new Map([['soon', { ...soon, effect: null }]]);
    expect(takenBack(aStream({ aside }), rows).aside).to.deep.equal({ waiting: 0, parked: 9, wakeAt: later(3) });
    const ofParked = new Map([['parked', { ...parked, effect: null }]]);
    expect(takenBack(aStream({ aside: nothing }), ofParked).aside).to.deep.equal(nothing);
  });

  it('counts less than what the stream has of the same entitlement', () => {
    const rows = new Map([
      ['due', { ...events(null, 9), effect: null }],
      ['soon', { ...soon, effect: effect('older') }],
    ]);
    const known = aStream({ pending: new Map([['due', due]]), effects: new Map([['soon', effect('newer')]]) });
    const back = takenBack(known, rows);
    expect(new Map(back.pending)).to.deep.equal(
      new Map([
        ['due', due],
        ['soon', soon],
      ]),
    );
    expect(back.effects.get('soon')).to.deep.equal(effect('newer'));
    expect(takenBack(known, new Map([['due', { ...late, effect: null }]]))).to.equal(known);
  });

  it('is written with a command, which removes what it took back and did not set aside again', () => {
    const { stream, changes } = afterCommand(full, ['due', 'soon', 'gone'], noon);
    expect([...stream.pending.keys()]).to.deep.equal(['due']);
    expect([changes.all, [...changes.put.keys()], [...changes.remove]]).to.deep.equal([
      null,
      ['late', 'soon', 'parked'],
      ['due', 'gone'],
    ]);
  });

  it('wakes once its time has come', () => {
    const woken = [null, later(1), noon, later(-1)].map((wakeAt) =>
      wakes(aStream({ aside: { ...nothing, waiting: 1, wakeAt } }), noon),
    );
    expect(woken).to.deep.equal([false, false, true, true]);
  });

  it('wakes for the probe of an endpoint that is down, if nothing else is there to try', () => {
    const aside = { waiting: 1, parked: 0, wakeAt: later(99) };
    const probed = (at: Date, others: Parameters<typeof aStream>[0] = {}) =>
      wakes(aStream({ aside, probe: { attempt: 2, at }, ...others }), noon);
    expect([later(1), noon, later(-1)].map((at) => probed(at))).to.deep.equal([false, true, true]);
    expect(probed(noon, { aside: { ...nothing, parked: 3, wakeAt: noon } })).to.equal(false);
    expect(probed(noon, { pending: new Map([['parked', parked]]) })).to.equal(true);
    const both = new Map([
      ['parked', parked],
      ['due', due],
    ]);
    expect(probed(noon, { pending: both })).to.equal(false);
  });
});
