import { expect } from 'chai';
import { withOpenApi } from '../../../../adapters/http/openapi/openapi-operations.ts';
import { probeOperations } from '../../../../adapters/http/operations/service-operations.ts';

describe('the OpenAPI document of a service', () => {
  it('is made once, by the first request, so that no start waits for it', async () => {
    let looks = 0;
    const counted = probeOperations(async () => true).map(
      (operation) =>
        new Proxy(operation, { get: (of, name) => ((looks += Number(name === 'docs')), Reflect.get(of, name)) }),
    );
    const { handle } = withOpenApi(counted).at(-1) as unknown as { readonly handle: () => Promise<unknown> };
    expect(looks).to.equal(0);
    const first = await handle();
    const once = looks;
    expect(once).to.be.above(0);
    expect([await handle(), looks]).to.deep.equal([first, once]);
  });
});
