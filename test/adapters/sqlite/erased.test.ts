import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aCall, aSignUp } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { sqliteFile } from '../../support/stores/sqlite-file.ts';
import { openAt } from '../../support/stores/stores.ts';
import { signUpsIn } from '../../support/stores/whole-lists.ts';

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
    const folder = dirname(file().path);
    const texts = readdirSync(folder).map((each) => readFileSync(join(folder, each), 'latin1'));
    return texts.some((text) => text.includes(email(number)) || text.includes(name(number)));
  }
});

function email(number: number): string {
  return `person-${number}.@example.com`;
}

function name(number: number): string {
  return `Name of ${number}.`;
}
