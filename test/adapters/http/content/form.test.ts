import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseForm } from '../../../../adapters/http/content/form.ts';
import { eventLoopTurnsDuring } from '../../../support/event-loop.ts';
import { refusalOf } from '../../../support/thrown.ts';

const entriesOf = async (source: string): Promise<unknown> => [...(await parseForm(Buffer.from(source)))];
const codeOf = async (source: string): Promise<string> => (await refusalOf(entriesOf(source))).code;

describe('the parser of forms', () => {
  it('reads what browsers send as URLSearchParams does', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
        async (fields) => {
          const source = new URLSearchParams(fields).toString();
          expect(await entriesOf(source)).to.deep.equal([...new URLSearchParams(source)]);
        },
      ),
    ));

  it('reads whatever else is sent as URLSearchParams does', () => {
    const unit = fc.constantFrom('&', '=', '+', '%4', '%%4', '%G', '4', 'f', 'F', 'G', '%C3%A4', '%EF%BB%BF', '/');
    return fc.assert(
      fc.asyncProperty(fc.string({ unit }), async (source) => {
        expect(await entriesOf(source)).to.deep.equal([...new URLSearchParams(source)]);
      }),
    );
  });

  it('leaves other requests their turn in a long field, and between many', async () => {
    for (const [source, text] of [
      [`csv=a${'%E2%82%AC'.repeat(100_000)}`, `a${'€'.repeat(100_000)}`],
      [`${'name=text&'.repeat(999)}csv=${'%26'.repeat(300_000)}`, '&'.repeat(300_000)],
      [`${`name=${'+'.repeat(1000)}&`.repeat(999)}csv=a`, 'a'],
    ] as const) {
      const parsing = parseForm(Buffer.from(source));
      expect(await eventLoopTurnsDuring(parsing)).to.be.greaterThan(10);
      expect((await parsing).get('csv')).to.equal(text);
    }
  });

  it('refuses escapes that are not UTF-8', async () => {
    for (const source of ['what=%ff', '%C3=1', 'a=1&b=%ED%A0%80']) {
      expect(await codeOf(source), source).to.equal('invalid_body');
    }
  });

  it('refuses more than 1,000 fields, which take too long to keep', async () => {
    expect(await entriesOf('a&'.repeat(1000))).to.have.length(1000);
    for (const source of ['a&'.repeat(1001), '&'.repeat(1001)]) expect(await codeOf(source)).to.equal('invalid_body');
  });
});
