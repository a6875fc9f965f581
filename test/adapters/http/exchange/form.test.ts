import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseForm } from '../../../../adapters/http/exchange/form.ts';
import { Refusal } from '../../../../core/refusal.ts';

const entriesOf = (source: string): unknown => [...parseForm(Buffer.from(source))];

describe('the parser of forms', () => {
  it('reads what browsers send as URLSearchParams does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))), (fields) => {
        const source = new URLSearchParams(fields).toString();
        expect(entriesOf(source)).to.deep.equal([...new URLSearchParams(source)]);
      }),
    );
  });

  it('reads whatever else is sent as URLSearchParams does', () => {
    const unit = fc.constantFrom('&', '=', '+', '%4', '%%4', '%G', '4', 'f', 'F', 'G', '%C3%A4', '%EF%BB%BF', '/');
    fc.assert(
      fc.property(fc.string({ unit }), (source) => {
        expect(entriesOf(source)).to.deep.equal([...new URLSearchParams(source)]);
      }),
    );
  });

  it('refuses escapes that are not UTF-8', () => {
    for (const source of ['what=%ff', '%C3=1', 'a=1&b=%ED%A0%80']) {
      expect(() => entriesOf(source), source)
        .to.throw(Refusal)
        .with.property('code', 'invalid_body');
    }
  });

  it('refuses more than 1,000 fields, which take too long to keep', () => {
    expect(entriesOf('a&'.repeat(1000))).to.have.length(1000);
    for (const source of ['a&'.repeat(1001), '&'.repeat(1001)]) {
      expect(() => entriesOf(source))
        .to.throw(Refusal)
        .with.property('code', 'invalid_body');
    }
  });
});
