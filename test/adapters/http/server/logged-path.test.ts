import { expect } from 'chai';
import { loggedPath } from '../../../../adapters/http/server/logged-path.ts';

const paths: readonly (readonly [what: string, target: string, logged: string])[] = [
  ['as it is', '/a/b-c_d.e~f/(g)', '/a/b-c_d.e~f/(g)'],
  ['without its query', '/a?b=/c', '/a'],
  ['of an absolute target', 'http://elsewhere.test:81/a?b', '/a'],
  ['that is an asterisk', '*', '*'],
  ['up to 64 characters', `/${'a'.repeat(70)}`, `/${'a'.repeat(63)}`],
  ['with its own escapes', '/%00%2F', '/%00%2F'],
  ['with bytes beyond ASCII escaped', '/\u00e9\u009b31m', '/%E9%9B31m'],
  ['with quotes and brackets escaped', '/"<a>`\\{|}^', '/%22%3Ca%3E%60%5C%7B%7C%7D%5E'],
  ['without an app key', '/a/svc_sk_live_1234/b', '/a/***/b'],
  ['without a license key', '/LK-01234-56789-ABCDE-FGHJK-MNPQR-STVWX', '/***'],
  ['without a license key in lower case', '/lk0123456789', '/***'],
  ['without an address', '/a/ada@example.com/b', '/a/***/b'],
  ['without an escaped address', '/ada%40example.com', '/***'],
  ['without a secret that the cut would split', `/${'a'.repeat(60)}/svc_sk_live_1234`, `/${'a'.repeat(60)}/**`],
];

describe('an unknown path in the log', () => {
  for (const [what, target, logged] of paths) {
    it(`is shown ${what}`, () => expect(loggedPath(target)).to.equal(logged));
  }
});
