import { expect } from 'chai';
import { httpUrl } from '../../../adapters/http/http-url.ts';

describe('the URL of a server', () => {
  it('has brackets around an IPv6 address', () => {
    const urls = ['::1', '127.0.0.1', 'localhost'].map((host) => httpUrl(host, 8080));
    expect(urls).to.deep.equal(['http://[::1]:8080', 'http://127.0.0.1:8080', 'http://localhost:8080']);
  });
});
