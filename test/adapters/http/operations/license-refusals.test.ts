import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aSubscription } from '../../../support/builders.ts';
import { memory } from '../../../support/stores/stores.ts';
import type { RequestOptions, Reply } from '../../../support/http/http-client.ts';
import { corsHeaders, notVerified, refused, succeeded } from '../../../support/http/replies.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { json } from '../../../support/http/requests.ts';

const key = 'a-license-key-of-a-buyer';
const path = '/api/licenses/verify';
const unknown = succeeded({ valid: false }, corsHeaders);
const malformed = (message: string): Reply => notVerified(400, 'malformed_license_key', message);
const badLength = malformed('licenseKey must be a string of 24 to 120 characters.');
const noObject = malformed('The request body must be a JSON object with the member licenseKey.');
const badProduct = malformed('productId must be a string.');
const notJson = notVerified(400, 'invalid_body', 'The request body must be valid JSON in UTF-8.');
const tooDeep = notVerified(400, 'invalid_body', 'The request body must be at most 32 levels deep.');
const tooLarge = notVerified(413, 'payload_too_large', 'The request body must be at most 16 KiB.');
const wrongType = notVerified(415, 'unsupported_media_type', 'The request body must be application/json in UTF-8.', {
  accept: 'application/json',
});
const wrongCoding = notVerified(
  415,
  'unsupported_content_coding',
  'The request body must come without a content coding.',
  { 'accept-encoding': 'identity' },
);

const lengths: readonly (readonly [length: number, reply: Reply])[] = [
  [23, badLength],
  [24, unknown],
  [120, unknown],
  [121, badLength],
];

const bodies: readonly (readonly [what: string, body: string | Uint8Array, reply: Reply])[] = [
  ['an object without the key', '{}', badLength],
  ['a key that is a number', '{"licenseKey":123456789012345678901234}', badLength],
  ['a key that is null', '{"licenseKey":null}', badLength],
  ['a product that is a number', `{"licenseKey":"${key}","productId":1}`, badProduct],
  ['a product that is null', `{"licenseKey":"${key}","productId":null}`, badProduct],
  ['an array', '[]', noObject],
  ['a string', '"text"', noObject],
  ['null', 'null', noObject],
  ['half of a JSON text', '{"licenseKey":', notJson],
  ['an empty body', '', notJson],
  ['a byte-order mark', `\uFEFF{"licenseKey":"${key}"}`, notJson],
  ['bytes that are not UTF-8', Buffer.from('7b22ff227d', 'hex'), notJson],
  ['arrays of 32 levels', '['.repeat(32) + ']'.repeat(32), noObject],
  ['arrays of 33 levels', '['.repeat(33) + ']'.repeat(33), tooDeep],
  ['more than 16 KiB', `"${'x'.repeat(16 * 1024)}"`, tooLarge],
];

const types: readonly (readonly [what: string, asked: RequestOptions, reply: Reply])[] = [
  ['neither a body nor a type', {}, wrongType],
  ['a form', { headers: ['Content-Type: application/x-www-form-urlencoded'], body: 'licenseKey=k' }, wrongType],
  ['JSON of another charset', { headers: ['Content-Type: application/json; charset=utf-16'], body: '{}' }, wrongType],
  ['compressed JSON', { headers: [json, 'Content-Encoding: gzip'], body: '{}' }, wrongCoding],
];

describe(`POST ${path}`, () => {
  const service = freshService(memory);
  const post = (asked: RequestOptions): Promise<Reply> => service().send(path, { method: 'POST', ...asked });

  it('looks up keys of 24 to 120 characters only', async () => {
    for (const [length, reply] of lengths) {
      expect(await service().verify({ licenseKey: 'k'.repeat(length) }), `${length} letters`).to.deep.equal(reply);
      expect(await service().verify({ licenseKey: '𝄞'.repeat(length) }), `${length} clefs`).to.deep.equal(reply);
    }
  });

  it('refuses every other body with a message that names the member and its bounds, and changes nothing', async () => {
    await service().grant(aSubscription({ license: aLicense({ digest: licenseDigest(key, digest) }) }));
    const before = await service().stored();
    for (const [what, body, reply] of bodies) {
      expect(await post({ headers: [json], body }), what).to.deep.equal(reply);
    }
    expect(await service().stored()).to.deep.equal(before);
  });

  it('refuses content that is not declared as JSON', async () => {
    for (const [what, asked, reply] of types) expect(await post(asked), what).to.deep.equal(reply);
  });

  it('refuses another method in the shape of the other operations', async () => {
    const more = { ...corsHeaders, allow: 'POST, OPTIONS' };
    const reply = refused(405, 'method_not_allowed', 'This path does not have this method.', more);
    expect(await service().send(path)).to.deep.equal(reply);
  });
});
