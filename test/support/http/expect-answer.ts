import { expect } from 'chai';
import { expectDocumented } from './documented.ts';
import type { RawResponse } from './raw-client.ts';

/** The body of an answer: an error of specification 2.5, an error of 2.4, a success, or no content. */
export type BodyShape = 'standard' | 'verification' | 'success' | 'none';

/** Expects the header fields of every answer of the service, and the exact members of the body of an error. */
export function expectAnswer(response: RawResponse, shape?: BodyShape, edition = '2026-07-18'): void {
  const { status, headers, body } = response;
  const one = (name: string): string | undefined => {
    expect(headers[name]?.length ?? 0, `lines of ${name}`).to.be.at.most(1);
    return headers[name]?.[0];
  };
  expect(one('api-version')).to.equal(edition);
  expect(one('x-request-id')).to.match(/^[A-Za-z0-9._-]{8,128}$/);
  expect(one('x-content-type-options')).to.equal('nosniff');
  expect(one('referrer-policy')).to.equal('no-referrer');
  expect(one('content-security-policy')).to.equal("default-src 'none'; frame-ancestors 'none'");
  expect(one('cache-control')).to.be.a('string');
  expect(one('date')).to.match(/GMT$/);
  expect(headers['server']).to.equal(undefined);
  expect(headers['x-powered-by']).to.equal(undefined);
  if (status >= 400) expect(one('error-code')).to.match(/^[a-z_]+$/);
  if (status >= 400) expect(one('cache-control')).to.equal('no-store');
  if (shape !== undefined) expectShape(response, shape, one('x-request-id'));
  if (body !== '') expect(one('content-type')).to.equal('application/json');
}

/** Expects a response to conform to the OpenAPI document, for the request of these bytes. */
export function expectDocumentedFor(bytes: string, { status, headers, body }: RawResponse): void {
  const [, method = '', target = ''] = /^\s*(\S*) +(\S*)/.exec(bytes) ?? [];
  const joined = Object.entries(headers).map(([name, lines = []]): [string, string] => [name, lines.join(', ')]);
  expectDocumented(method, target, { status, headers: Object.fromEntries(joined), text: body });
}

function expectShape({ status, headers, body }: RawResponse, shape: BodyShape, id: string | undefined): void {
  if (shape === 'none') return void expect(body).to.equal('');
  const value: Record<string, unknown> = JSON.parse(body);
  const replayed = headers['idempotent-replayed'] !== undefined;
  if ('correlationId' in value && !replayed) expect(value['correlationId']).to.equal(id);
  if (shape === 'success') return void expect(status).to.be.below(400);
  const { error } = value;
  expect(error)
    .to.be.a('string')
    .that.matches(/^[ -~]{8,300}$/);
  const exact = shape === 'verification' ? { valid: false, error } : { success: false, error, correlationId: id };
  expect(value).to.deep.equal(exact);
}
