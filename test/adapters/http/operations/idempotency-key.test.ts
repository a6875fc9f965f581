import { expect } from 'chai';
import { aSubscription } from '../../../support/builders.ts';
import type { Reply, RequestOptions } from '../../../support/http/http-client.ts';
import { refused } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

type Lines = readonly string[];

const missing = refused(400, 'idempotency_key_missing', 'The Idempotency-Key header is missing.');
const invalid = refused(
  400,
  'idempotency_key_invalid',
  'The Idempotency-Key header must be sent once and hold 8 to 200 printable ASCII characters.',
);

const bad: readonly (readonly [what: string, lines: Lines, reply: Reply])[] = [
  ['no key', [], missing],
  ['an empty key', [''], missing],
  ['a blank key', ['         '], missing],
  ['an empty quoted key', ['""'], invalid],
  ['a blank quoted key', ['"         "'], invalid],
  ['seven characters', ['k'.repeat(7)], invalid],
  ['seven quoted characters', [`"${'k'.repeat(7)}"`], invalid],
  ['201 characters', ['k'.repeat(201)], invalid],
  ['201 quoted characters', [`"${'k'.repeat(201)}"`], invalid],
  ['a key outside ASCII', ['schl\u00fcssel-1'], invalid],
  ['a key with a tab', ['key\t00000001'], invalid],
  ['a key that begins with a no-break space', ['\u00a0key-00000001'], invalid],
  ['a key that ends with one', ['key-00000001\u00a0'], invalid],
  ['nothing but no-break spaces', ['\u00a0'.repeat(9)], invalid],
  ['a quote that does not end', ['"key-00000001'], invalid],
  ['something behind the quotes', ['"key-00000001"; a=1'], invalid],
  ['two keys on two lines', ['key-00000001', 'key-00000002'], invalid],
  ['one key on two lines', ['key-00000001', 'key-00000001'], invalid],
];

const good: readonly (readonly [what: string, one: string, other: string])[] = [
  ['eight characters', 'k'.repeat(8), `"${'k'.repeat(8)}"`],
  ['200 characters', 'k'.repeat(200), `"${'k'.repeat(200)}"`],
  ['spaces inside', 'a key of words', '"a key of words"'],
  ['spaces and tabs around it', 'key-00000001', ' \t"key-00000001"\t '],
  ['a quote and a backslash', 'key-"0000"-\\', '"key-\\"0000\\"-\\\\"'],
  ['what looks like a database operator', '$$NOW.$ref.{}', '"$$NOW.$ref.{}"'],
];

for (const operation of ['cancel', 'resume']) {
  describe(`the Idempotency-Key of ${operation}`, () => {
    const service = freshService(memory);
    beforeEach(() => service().grant(aSubscription()));

    const send = (lines: Lines): Promise<Reply> => {
      const keys = lines.map(idempotencyKey);
      const asked: RequestOptions = { method: 'POST', headers: [bearer(), ...keys] };
      return service().send(`/api/app-entitlements/ent_1/${operation}`, asked);
    };

    it('is refused when it is missing or malformed, and nothing changes', async () => {
      for (const [what, lines, reply] of bad) expect(await send(lines), what).to.deep.equal(reply);
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });

    it('is the same in quotes as without', async () => {
      for (const [what, one, other] of good) {
        const first = await send([one]);
        const replay = { ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } };
        expect([first.status, first.headers['idempotent-replayed']], what).to.deep.equal([200, undefined]);
        expect(await send([other]), what).to.deep.equal(replay);
      }
    });
  });
}
