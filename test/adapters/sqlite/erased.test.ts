import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { erasedAffiliate } from '../../../core/affiliate/affiliate.ts';
import { rotated } from '../../../core/receipt/key-ring.ts';
import { anAffiliate } from '../../support/affiliates/builders.ts';
import { aCall, anOperatorSession, aSignUp, day, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { aFreshRing, signingKeysOf } from '../../support/receipts/key-rings.ts';
import { sqliteFile } from '../../support/stores/sqlite-file.ts';
import { openAt } from '../../support/stores/stores.ts';
import { signUpsIn } from '../../support/stores/whole-lists.ts';
import { anEndpoint } from '../../support/webhooks/builders.ts';

describe('an address that is erased from the waitlist of a SQLite store', () => {
  const file = sqliteFile();
  const numbers = range(60);

  it('is in no file any more, while a server has the store open', async () => {
    for (const number of numbers) {
      await file().waitlist.join(aSignUp({ email: email(number), name: name(number) }), aCall());
    }
    expect(numbers.filter(isFound)).to.deep.equal(numbers);
    const command = await openAt(`sqlite:${file().path}`);
    for (const number of numbers) {
      if (number % 3 === 0) expect(await command.waitlist.erase(email(number), aCall())).to.equal(1);
    }
    await command.close();
    expect(existsSync(`${file().path}-wal`)).to.equal(true);
    expect(numbers.filter((number) => isFound(number) === (number % 3 === 0))).to.deep.equal([]);
  });

  it('is erased although another connection reads the whole time', async () => {
    await file().waitlist.join(aSignUp(), aCall());
    const reader = new Database(file().path, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM waitlist');
    expect(await file().waitlist.erase(aSignUp().email, aCall())).to.equal(1);
    reader.close();
    expect(await signUpsIn(file())).to.deep.equal([]);
  });

  function isFound(number: number): boolean {
    return isIn(file().path, email(number)) || isIn(file().path, name(number));
  }
});

describe('a secret that is removed from a SQLite store', () => {
  const file = sqliteFile();
  const secret = 'a-secret-that-nobody-else-has';
  const ring = aFreshRing();
  const endpoint = anEndpoint({ secrets: [{ key: secret, until: null }] });

  const ada = anAffiliate({ email: 'a-secret@example.com', payTo: secret });

  const cases: readonly (readonly [
    what: string,
    text: string,
    add: () => Promise<unknown>,
    remove: () => Promise<unknown>,
  ])[] = [
    [
      'the private half of a signing key that is rotated away',
      ring.active.d,
      () => file().signingKeys.replace(ring, aCall()),
      () => file().signingKeys.replace(rotated(ring, signingKeysOf('more keys'), later(day)), aCall()),
    ],
    [
      'the secret of an endpoint that is deleted',
      secret,
      () => file().webhookEndpoints.add(endpoint, aCall()),
      () => file().webhookEndpoints.remove('whk_1', null, aCall()),
    ],
    [
      'a secret of an endpoint that has ended',
      secret,
      () => file().webhookEndpoints.add(endpoint, aCall()),
      () => file().webhookEndpoints.replace(anEndpoint({ revision: 2 }), aCall()),
    ],
    [
      'where an affiliate is paid, who is erased',
      secret,
      () => file().affiliates.replace(null, ada, aCall()),
      () => file().affiliates.replace(ada, erasedAffiliate(ada), aCall()),
    ],
    [
      'an address of an affiliate, who has another',
      'a-secret@example.com',
      () => file().affiliates.replace(null, ada, aCall()),
      () => file().affiliates.replace(ada, { ...ada, email: 'ada@example.com', revision: 2 }, aCall()),
    ],
    [
      'a session that was signed out of',
      secret,
      () => file().operatorSessions.add(anOperatorSession({ digest: secret }), aCall()),
      () => file().operatorSessions.remove(secret, aCall()),
    ],
    [
      'a session that has ended by itself',
      secret,
      () => file().operatorSessions.add(anOperatorSession({ digest: secret }), aCall()),
      () => file().operatorSessions.prune({ createdAt: noon, lastUsedAt: noon }, aCall()),
    ],
  ];
  for (const [what, text, add, remove] of cases) {
    it(`is in no file any more: ${what}`, async () => {
      await add();
      expect(isIn(file().path, text)).to.equal(true);
      await remove();
      expect(isIn(file().path, text)).to.equal(false);
    });
  }
});

/** Whether a text is in a file of the store. */
function isIn(path: string, text: string): boolean {
  return readdirSync(dirname(path)).some((each) => readFileSync(join(dirname(path), each), 'latin1').includes(text));
}

function email(number: number): string {
  return `person-${number}.@example.com`;
}

function name(number: number): string {
  return `Name of ${number}.`;
}
