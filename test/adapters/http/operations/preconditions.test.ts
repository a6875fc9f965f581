import { expect } from 'chai';
import { aSubscription, hour, later } from '../../../support/builders.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { refused } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const failed = refused(
  412,
  'precondition_failed',
  'The entitlement is not in the state that the request demands. If-Match compares strongly: send the ETag without W/.',
);

/** The date of the header fields, to which `updatedAt` of the entitlement is an hour old. */
const changedAt = later(-hour);
const inSeconds = (seconds: number): string => new Date(changedAt.getTime() + seconds * 1000).toUTCString();

type Lines = (opaque: string) => readonly string[];

const met: readonly (readonly [what: string, lines: Lines])[] = [
  ['If-Match with the tag, strong', (tag) => [`If-Match: ${tag}`]],
  ['If-Match with the tag among others', (tag) => [`If-Match: "x", ,W/${tag}, ${tag}`]],
  ['If-Match with the tag on its second line', (tag) => ['If-Match: "x"', `If-Match: ${tag}`]],
  ['If-Match with an asterisk', () => ['If-Match: *']],
  ['If-None-Match with another tag', () => ['If-None-Match: "x", W/"y"']],
  ['If-None-Match that is not a list of tags', () => ['If-None-Match: nonsense']],
  ['If-Unmodified-Since with the date of the change', () => [`If-Unmodified-Since: ${inSeconds(0)}`]],
  ['If-Unmodified-Since with a later date', () => [`If-Unmodified-Since: ${inSeconds(5)}`]],
  ['If-Unmodified-Since that is not a date', () => ['If-Unmodified-Since: 2026-07-18T10:00:00Z']],
  [
    'If-Unmodified-Since on two lines, which is not a date',
    () => [`If-Unmodified-Since: ${inSeconds(-5)}`, `If-Unmodified-Since: ${inSeconds(-5)}`],
  ],
  [
    'If-Match, beside which If-Unmodified-Since does not count',
    (tag) => [`If-Match: ${tag}`, `If-Unmodified-Since: ${inSeconds(-5)}`],
  ],
  ['If-Modified-Since, which is for reading', () => [`If-Modified-Since: ${inSeconds(5)}`]],
];

const notMet: readonly (readonly [what: string, lines: Lines])[] = [
  ['If-Match with another tag', () => ['If-Match: "x"']],
  ['If-Match with the tag, weak', (tag) => [`If-Match: W/${tag}`]],
  ['If-Match with the tag, weak in lower case', (tag) => [`If-Match: w/${tag}`]],
  ['If-Match with the tag, unquoted', (tag) => [`If-Match: ${tag.slice(1, -1)}`]],
  ['If-Match without a tag', () => ['If-Match:  ']],
  ['If-None-Match with the tag, weak', (tag) => [`If-None-Match: W/${tag}`]],
  ['If-None-Match with the tag, strong', (tag) => [`If-None-Match: "x", ${tag}`]],
  ['If-None-Match with an asterisk', () => ['If-None-Match: *']],
  ['If-Unmodified-Since with an earlier date', () => [`If-Unmodified-Since: ${inSeconds(-1)}`]],
  ['If-Match that is met and If-None-Match that is not', (tag) => [`If-Match: ${tag}`, `If-None-Match: ${tag}`]],
  [
    'If-Unmodified-Since that is met and If-None-Match that is not',
    (tag) => [`If-Unmodified-Since: ${inSeconds(0)}`, `If-None-Match: ${tag}`],
  ],
];

describe('a precondition of cancel and resume', () => {
  const service = freshService(memory);
  beforeEach(() => service().grant(aSubscription({ updatedAt: changedAt })));

  const change = (path: string, key: string, lines: readonly string[]): Promise<Reply> =>
    service().send(`/api/app-entitlements/${path}`, {
      method: 'POST',
      headers: [bearer(), idempotencyKey(key), ...lines],
    });

  /** The quoted part of the ETag. */
  const tagOf = async (id: string): Promise<string> => (await service().read(id)).headers['etag']?.slice(2) ?? '';

  for (const operation of ['cancel', 'resume']) {
    for (const [what, lines] of met) {
      it(`lets ${operation} through: ${what}`, async () => {
        const { status } = await change(`ent_1/${operation}`, 'key-00000001', lines(await tagOf('ent_1')));
        expect(status).to.equal(200);
      });
    }

    it(`refuses ${operation} where it is not met, and changes and records nothing`, async () => {
      const tag = await tagOf('ent_1');
      const before = await service().stored();
      for (const [what, lines] of notMet) {
        expect(await change(`ent_1/${operation}`, 'key-00000001', lines(tag)), what).to.deep.equal(failed);
      }
      expect(await service().stored()).to.deep.equal(before);
      const { status, headers } = await change(`ent_1/${operation}`, 'key-00000001', []);
      expect([status, headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    });
  }

  it('comes after a key that was used for something else, an unknown entitlement and its state', async () => {
    await service().grant(aSubscription({ id: 'ent_ended', hold: { kind: 'revoked', at: changedAt } }));
    await change('ent_1/resume', 'key-00000001', []);
    const codes: unknown[] = [];
    for (const [path, key] of [
      ['ent_1/cancel', 'key-00000001'],
      ['ent_unknown/cancel', 'key-00000002'],
      ['ent_ended/cancel', 'key-00000003'],
    ] as const) {
      codes.push((await change(path, key, ['If-None-Match: *'])).headers['error-code']);
    }
    expect(codes).to.deep.equal(['idempotency_key_reused', 'entitlement_not_found', 'entitlement_ended']);
  });

  it('sees what the clock changes: the end of the period is a change of the entitlement', async () => {
    const tag = await tagOf('ent_1');
    service().now = aSubscription().currentPeriodEnd;
    const since = `If-Unmodified-Since: ${later(hour).toUTCString()}`;
    expect(await change('ent_1/cancel', 'key-00000001', [`If-Match: ${tag}`])).to.deep.equal(failed);
    expect(await change('ent_1/cancel', 'key-00000001', [since])).to.deep.equal(failed);
    const now = `If-Unmodified-Since: ${service().now.toUTCString()}`;
    expect((await change('ent_1/cancel', 'key-00000001', [now])).status).to.equal(200);
  });
});
