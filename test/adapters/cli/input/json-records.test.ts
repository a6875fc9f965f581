import { expect } from 'chai';
import * as fc from 'fast-check';
import { jsonRecords, type JsonRecord } from '../../../../adapters/cli/input/json-records.ts';
import { rounds } from '../../../support/run/long-runs.ts';

describe('the records of a JSON text', () => {
  const cases: readonly (readonly [text: string, records: readonly unknown[]])[] = [
    ['', []],
    [' \n', []],
    ['{"a":1}', [{ a: 1 }]],
    ['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['[{"a":1},{"a":[{"b":1}]}]', [{ a: 1 }, { a: [{ b: 1 }] }]],
    ['{"data":[{"a":1},{"data":[{"b":1}]}],"links":{"next":null}}', [{ a: 1 }, { data: [{ b: 1 }] }]],
    ['{"links":{"data":[{"no":1}]},"items":[{"a":1}]}', [{ a: 1 }]],
    ['{"data":[],"included":[{"no":1}]}', []],
    ['{"items":[{"a":1}]}{"items":[{"a":2}]}', [{ a: 1 }, { a: 2 }]],
    [String.raw`[{"a":"}]\"{["}]`, [{ a: '}]"{[' }]],
    ['{"data":{"a":1}}', [{ data: { a: 1 } }]],
    ['{"type":"x","data":{"data":[{"no":1}]},"items":[{"a":1}]}', [{ a: 1 }]],
    ['{"a":1,"items":{"data":[{"no":1}]}}', [{ a: 1, items: { data: [{ no: 1 }] } }]],
    ['{"datas":[{"a":1}]}', [{ datas: [{ a: 1 }] }]],
  ];
  for (const [text, records] of cases) {
    it(`are ${JSON.stringify(records)} in ${JSON.stringify(text)}`, async () => {
      expect(await parsed(text)).to.deep.equal(records);
    });
  }

  it('are those of JSON.parse, wherever the text is divided', async () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(
        fc.array(record),
        fc.constantFrom('data', 'items'),
        fc.nat(30),
        async (records, member, size) => {
          const page = JSON.stringify({ has_more: 'x"', [member]: records, links: { data: [{ no: 1 }] } }, null, 1);
          expect(await parsed(page, size + 1)).to.deep.equal(JSON.parse(JSON.stringify(records)));
          expect(await parsed(JSON.stringify(records), size + 1)).to.deep.equal(JSON.parse(JSON.stringify(records)));
        },
      ),
      { numRuns: rounds(100, 5000) },
    );
  });

  it('say on which line they begin', async () => {
    const lines = (await recordsIn('[\n{"a":\n1},\n\n{"a":2}]')).map(({ line }) => line);
    expect(lines).to.deep.equal([2, 5]);
  });

  it('end where the text is cut or no JSON', async () => {
    expect((await recordsIn('{"data":[{"a":1},\n{"b"')).at(-1)).to.deep.equal({ kind: 'cut', line: 2 });
    for (const text of ['x', '[}', '{"a":1]', '[]]', '1', '"a"']) {
      expect((await recordsIn(text)).at(-1)?.kind, text).to.equal('not JSON');
    }
  });

  it('have no text if they are longer than 1 MiB', async () => {
    const records = await recordsIn(`[{"a":"${'x'.repeat(1_048_576)}"},{"a":1}]`, 10_000);
    expect(records).to.deep.equal([
      { kind: 'record', line: 1, text: null },
      { kind: 'record', line: 1, text: '{"a":1}' },
    ]);
  });
});

async function parsed(text: string, size = 3): Promise<readonly unknown[]> {
  const records = await recordsIn(text, size);
  return records.map((each): unknown => (each.kind === 'record' ? JSON.parse(each.text ?? '') : each));
}

async function recordsIn(text: string, size = 3): Promise<readonly JsonRecord[]> {
  return Array.fromAsync(jsonRecords(inPieces(Buffer.from(text), size)));
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
