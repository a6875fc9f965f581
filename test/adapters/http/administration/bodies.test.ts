import { expect } from 'chai';
import { requestBody } from '../../../../adapters/http/operations/admin/bodies/request-body.ts';
import { countRule, displayNameRule } from '../../../../core/parsing/value-rule.ts';
import { refusalOf } from '../../../support/thrown.ts';

const { read } = requestBody({ name: displayNameRule, count: countRule }, ['name']);

async function messageOf(body: unknown): Promise<string | undefined> {
  const { code, details } = await refusalOf(Promise.resolve(body).then(read));
  expect(code).to.equal('invalid_body');
  return details.message;
}

describe('the body of a request of the administration', () => {
  it('has values as its rules read them, numbers in no text, without members that are null', async () => {
    expect(read({ name: 'Ada', count: 3 })).to.deep.equal({ name: 'Ada', count: 3 });
    expect(read({ name: 'Ada', count: null })).to.deep.equal({ name: 'Ada' });
    expect(await messageOf({ name: 'Ada', count: '3' })).to.equal('count must be a whole number, 0 or more.');
  });

  it('is refused with every mistake, unknown members first', async () => {
    expect(await messageOf({ count: -1, nmae: 'x' })).to.equal(
      '"nmae" is not a member of this request. name is missing. count must be a whole number, 0 or more.',
    );
  });

  it('is refused for members that every object inherits', async () => {
    expect(await messageOf(JSON.parse('{"name":"Ada","__proto__":1}'))).to.equal(
      '"__proto__" is not a member of this request.',
    );
    expect(await messageOf({ name: 'Ada', toString: 1 })).to.equal('"toString" is not a member of this request.');
  });

  it('repeats at most 64 characters of an unknown name, and those in printable ASCII', async () => {
    expect(await messageOf({ name: 'Ada', ['x'.repeat(65)]: 1 })).to.equal(
      `"${'x'.repeat(64)}" is not a member of this request.`,
    );
    expect(await messageOf({ name: 'Ada', '\u001b[31m"\\é😀': 1 })).to.equal(
      String.raw`"\u001b[31m\u0022\u005c\u00e9\ud83d\ude00" is not a member of this request.`,
    );
  });

  it('is refused with a short message, however many members are unknown', async () => {
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`m${number}`, number]));
    expect(await messageOf({ name: 'Ada', ...members })).to.match(/^"m0" is not a .* 990 more members are unknown\.$/);
  });
});
