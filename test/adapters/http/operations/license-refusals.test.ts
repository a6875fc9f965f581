import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aSubscription } from '../../../support/builders.ts';
import type { Reply, RequestOptions } from '../../../support/http/http-client.ts';
import { notVerified } from '../../../support/http/replies.ts';
import { json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const key = 'a-license-key-of-a-buyer';
const path = '/api/licenses/verify';
const malformed = (message: string): Reply => notVerified(400, 'malformed_license_key', message);
const badLength = malformed('licenseKey must be a string of 24 to 120 characters.');
const noObject = malformed('The request body must be a JSON object with the member licenseKey.');
const badProduct = malformed('productId must be a string.');
const notJson = notVerified(400, 'invalid_body', 'The request body must be valid JSON in UTF-8.');
const tooDeep = notVerified(400, 'invalid_body', 'The request body must be at most 32 levels deep.');

/** A body for each message. The conformance cases have what else is refused. */
const bodies: readonly (readonly [what: string, body: string, reply: Reply])[] = [
  ['an object without the key', '{}', badLength],
  ['a product that is a number', `{"licenseKey":"${key}","productId":5}`, badProduct],
  ['an array', '[]', noObject],
  ['half of a JSON text', '{"licenseKey":', notJson],
  ['arrays of 33 levels', '['.repeat(33) + ']'.repeat(33), tooDeep],
];

describe(`POST ${path}`, () => {
  const service = freshService(memory);
  const post = (asked: RequestOptions): Promise<Reply> => service().send(path, { method: 'POST', ...asked });

  it('refuses a body with a message that names the member and its bounds, and changes nothing', async () => {
    await service().grant(aSubscription({ license: aLicense({ digest: licenseDigest(key, digest) }) }));
    const before = await service().stored();
    for (const [what, body, reply] of bodies) {
      expect(await post({ headers: [json], body }), what).to.deep.equal(reply);
    }
    expect(await service().stored()).to.deep.equal(before);
  });
});
