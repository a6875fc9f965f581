import { expect } from 'chai';
import { traceOf } from '../../../../adapters/http/exchange/header-fields.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import type { Call } from '../../../../core/call.ts';
import { licenseKeys } from '../../../support/http/fixtures.ts';
import { json } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

const valid = [
  `00-${id}-${parent}-00`,
  `00-${id}-${parent}-ff`,
  `01-${id}-${parent}-01`,
  `cc-${id}-${parent}-01-what-comes`,
];

const invalid: readonly (readonly [what: string, field: string])[] = [
  ['nothing', ''],
  ['the version ff', `ff-${id}-${parent}-01`],
  ['upper case', `00-${id.toUpperCase()}-${parent}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${parent}-01`],
  ['a parent id of zeros', `00-${id}-${'0'.repeat(16)}-01`],
  ['a short trace id', `00-${id.slice(1)}-${parent}-01`],
  ['no flags', `00-${id}-${parent}`],
  ['more behind version 00', `00-${id}-${parent}-01-more`],
  ['more without a hyphen', `01-${id}-${parent}-01more`],
  ['two values', `00-${id}-${parent}-01, 00-${id}-${parent}-01`],
  ['white space', ` 00-${id}-${parent}-01`],
];

describe('a traceparent', () => {
  for (const field of valid) {
    it(`is read: ${field}`, () => expect(traceOf(field)).to.deep.equal({ id, parent: field }));
  }

  for (const [what, field] of invalid) {
    it(`is ignored with ${what}`, () => expect(traceOf(field)).to.equal(null));
  }

  it('may be absent', () => expect(traceOf(undefined)).to.equal(null));

  const start = populatedServices();
  it('reaches whatever is called for the request', async () => {
    const calls: Call[] = [];
    const service = await start({
      rebind: (container) => {
        const licenses = container.get(tokens.licenses);
        container.rebind(tokens.licenses).toConstantValue({
          find: (digest, call) => {
            calls.push(call);
            return licenses.find(digest, call);
          },
        });
      },
    });
    const field = `00-${id}-${parent}-01`;
    const body = JSON.stringify({ licenseKey: licenseKeys.active });
    for (const more of [[], [`traceparent: ${field}`]]) {
      await service.send('/api/licenses/verify', { method: 'POST', headers: [json, ...more], body });
    }
    expect(calls.map(({ trace }) => trace)).to.deep.equal([undefined, { id, parent: field }]);
  });
});
