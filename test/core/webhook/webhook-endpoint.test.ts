import { expect } from 'chai';
import { eventTypes } from '../../../core/entitlement/event/event-type.ts';
import { brokenRule } from '../../../core/parsing/value-rule.ts';
import {
  disablingReasons,
  eventTypesRule,
  isForProduct,
  isForType,
  shownEndpoint,
  webhookTypes,
  webhookUrlRule,
} from '../../../core/webhook/webhook-endpoint.ts';
import { noon } from '../../support/builders.ts';
import { anEndpoint, aSecret } from '../../support/webhooks/builders.ts';

describe('the terms of a webhook endpoint', () => {
  it('are for one product or for all', () => {
    expect(isForProduct({ productId: 'prod_1' }, 'prod_1')).to.equal(true);
    expect(isForProduct({ productId: 'prod_1' }, 'prod_2')).to.equal(false);
    expect(isForProduct({ productId: null }, 'prod_2')).to.equal(true);
  });

  it('are for some types or for all', () => {
    const types = ['entitlement.ended', 'license.revoked'] as const;
    const wanted = eventTypes.filter((type) => isForType({ types }, type));
    expect(wanted).to.deep.equal(types);
    expect(webhookTypes.filter((type) => isForType({ types: null }, type))).to.deep.equal(eventTypes);
  });

  it('name each type once, in the order of all types', () => {
    const given = ['license.revoked', 'entitlement.ended', 'license.revoked'];
    const types = ['entitlement.ended', 'license.revoked'];
    expect([eventTypesRule.read(given), eventTypesRule.parse(given.join())]).to.deep.equal([types, types]);
    expect(eventTypesRule.read(['license.revoked'])).to.deep.equal(['license.revoked']);
    for (const bad of [[], ['entitlement.end'], ['license.revoked', 1], 'license.revoked', null]) {
      expect(eventTypesRule.read(bad)).to.equal(null);
    }
    for (const bad of ['', 'license.revoked,', 'license.revoked, license.rotated', 'all']) {
      expect(eventTypesRule.parse(bad)).to.equal(null);
    }
    expect(eventTypesRule.rule).to.equal(`must be one or more of ${webhookTypes.join(', ')}`);
  });

  it('end for one of three reasons', () => {
    expect(disablingReasons).to.deep.equal(['requested', 'gone', 'failing']);
  });
});

describe('the URL of a webhook endpoint', () => {
  const ports = [0, 9, 9999, 10_000, 59_999, 60_000, 64_999, 65_000, 65_499, 65_500, 65_529, 65_530, 65_535];
  const longHost = 'h'.repeat(253);
  const good = [
    'https://shop.example',
    'http://shop.example/',
    'https://shop.example?a=b',
    'https://shop.example/hooks/1?tenant=%20&x=[~]!',
    'https://127.0.0.1:8443/hooks',
    'http://_hooks.-x-/',
    `https://${longHost}/`,
    ...ports.map((port) => `https://shop.example:${port}/`),
  ];
  const bad = [
    'ftp://shop.example/',
    'xhttps://shop.example/',
    'https:/shop.example/',
    'https://',
    'https:///hooks',
    'https://.example/',
    'https://[::1]/',
    'https://ada:secret@shop.example/',
    'https://shop.example/#top',
    'https://shop.example/a b',
    'https://shop.example/\n',
    'https://shop.example:/',
    `https://${longHost}h/`,
    ...[65_536, 65_540, 65_600, 66_000, 70_000, 100_000].map((port) => `https://shop.example:${port}/`),
  ];

  it('is an address of HTTP or HTTPS with a port up to 65535', () => {
    for (const url of good) expect(webhookUrlRule.parse(url), url).to.equal(url);
    for (const url of bad) expect(webhookUrlRule.parse(url), url).to.equal(null);
  });

  const broken: readonly (readonly [url: string, problem: RegExp])[] = [
    ['https://münchen.example/hook', /Punycode/],
    ['https://shop.example/über', /percent-encode/],
    ['HTTPS://shop.example/hook', /https:\/\/, in lower case$/],
    ['ftp://shop.example/hook', /^must begin with http:\/\/ or https:\/\/$/],
    ['shop.example/hook', /^must begin with http/],
    ['https:/shop.example', /^must begin with http/],
    ['http://[fd00::1]:8080/hook', /IPv6/],
    ['https://2001:db8::1/hook', /IPv6/],
    ['https://ada@shop.example/', /user name/],
    ['https://ada:secret@shop.example/', /user name/],
    ['https://shop.example/#top', /fragment/],
    ['https://shop.example/a b', /white space/],
    ['https://shop.example/\n', /white space/],
    [' https://shop.example/', /white space/],
    ['https://shop.example:/', /port/],
    ['https://shop.example:https/', /port/],
    ['https://shop.example:65536/', /port of at most 65535/],
    ['https://', /must name a host/],
    ['https:///hooks', /must name a host/],
    ['https://.example/', /must name a host/],
    ['https://shop!.example/', /must name a host/],
    ['https://shop%2Eexample/', /must name a host/],
    [`https://${'h'.repeat(254)}/`, /must name a host/],
    [`https://shop.example/${'x'.repeat(2000)}`, /at most 2000 characters/],
  ];

  for (const [url, problem] of broken) {
    it(`is refused with the rule that it breaks: ${JSON.stringify(url.slice(0, 60))}`, () => {
      expect(webhookUrlRule.parse(url)).to.equal(null);
      expect(brokenRule(webhookUrlRule, url)).to.match(problem).and.not.include(url);
    });
  }

  it('may have underscores, a dot at its end, a port and Punycode', () => {
    for (const host of [
      'my_shop.example',
      'shop.example.',
      'shop.example:8443',
      'xn--mnchen-3ya.example',
      '192.0.2.1',
    ]) {
      expect(webhookUrlRule.parse(`https://${host}/hook`)).to.equal(`https://${host}/hook`);
    }
  });

  it('has at most 2,000 characters', () => {
    const url = 'https://shop.example/'.padEnd(2000, 'x');
    expect([webhookUrlRule.parse(url), webhookUrlRule.parse(`${url}x`)]).to.deep.equal([url, null]);
    expect(webhookUrlRule.rule).to.equal(
      'must be an http or https URL of at most 2000 characters without user name and fragment',
    );
  });
});

describe('a webhook endpoint', () => {
  it('is shown with the number of its secrets alone', () => {
    const secrets = [
      { key: aSecret, until: null },
      { key: 'another', until: noon },
    ];
    const { id, url, productId, types } = anEndpoint();
    expect(shownEndpoint(anEndpoint({ state: 'disabled', reason: 'gone', secrets }))).to.deep.equal({
      id,
      url,
      productId,
      types,
      state: 'disabled',
      reason: 'gone',
      secrets: 2,
      createdAt: noon,
    });
  });
});
