import { expect } from 'chai';
import * as fc from 'fast-check';
import { formattedText } from '../../../../adapters/web/markup/formatted-text.ts';
import { urlRule } from '../../../../core/parsing/url-rules.ts';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import { rounds } from '../../../support/run/long-runs.ts';

/** The HTML of a text, without the white space between its blocks. */
function shown(text: string): string {
  return formattedText(text).text.replaceAll(/>\s+</g, '><');
}

function link(address: string, text: string): string {
  return `<a href="${address}" rel="nofollow ugc noopener">${text}</a>`;
}

/** Linear passes over 130 kB that some work takes. */
function passesFor(work: () => void): number {
  const pass = linearPass();
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / pass;
}

describe('a formatted text', () => {
  for (const [text, expected] of [
    ['', ''],
    [' \n\n', ''],
    ['one\ntwo\r\nthree', '<p>one\ntwo\nthree</p>'],
    ['one\n \ntwo', '<p>one</p><p>two</p>'],
    ['## Who buys it\n### Or not\ntext', '<h2>Who buys it</h2><h3>Or not</h3><p>text</p>'],
    ['# one\n#### four\n##none', '<p># one\n#### four\n##none</p>'],
    ['- a\n* b\n\n- c', '<ul><li>a</li><li>b</li></ul><ul><li>c</li></ul>'],
    ['1. a\n2. b\n7. c', '<ol><li>a</li><li>b</li><li>c</li></ol>'],
    ['2. a\n2026. b', '<p>2. a\n2026. b</p>'],
    ['text\n- a\ntext', '<p>text</p><ul><li>a</li></ul><p>text</p>'],
    ['-a\n*b\n  - c', '<p>-a\n*b\n  - c</p>'],
    ['**b** and *i* and `c < d`', '<p><strong>b</strong> and <em>i</em> and <code>c &lt; d</code></p>'],
    ['- **b**\n## *i*', '<ul><li><strong>b</strong></li></ul><h2><em>i</em></h2>'],
    ['**a *b* c**', '<p>**a <em>b</em> c**</p>'],
    ['**open, *open, `open, [open', '<p>**open, *open, `open, [open</p>'],
    ['2 * 3 * 4 ** 5 ** 6', '<p>2 * 3 * 4 ** 5 ** 6</p>'],
    ['\\*a\\* \\`b\\` \\[c](https://a.example) \\\\', '<p>*a* `b` [c](https://a.example) \\</p>'],
    ['\\- a\n\\## b\n1\\. c', '<p>- a\n## b\n1. c</p>'],
    ['**a \\* b**', '<p><strong>a * b</strong></p>'],
    ['C:\\temp', '<p>C:\\temp</p>'],
    ['[read *them*](https://a.example/?b=c&d#e)', `<p>${link('https://a.example/?b=c&amp;d#e', 'read *them*')}</p>`],
    ['[a](https://a.example/b_(c)) d)', `<p>${link('https://a.example/b_(c)', 'a')} d)</p>`],
    ['[a](https://a.example/?b[]=c[d])', `<p>${link('https://a.example/?b[]=c[d]', 'a')}</p>`],
    ['[a](http://a.example)', '<p>[a](http://a.example)</p>'],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](https://u@a.example)', '<p>[a](https://u@a.example)</p>'],
    ['[a](/b) [a][b] [a](https://a.example "t")', '<p>[a](/b) [a][b] [a](https://a.example &quot;t&quot;)</p>'],
    ['[*a*](http://a.example)', '<p>[<em>a</em>](http://a.example)</p>'],
    [
      '<b>x</b> &amp; <!-- ![i](https://a.example/i.png)',
      `<p>&lt;b&gt;x&lt;/b&gt; &amp;amp; &lt;!-- !${link('https://a.example/i.png', 'i')}</p>`,
    ],
    ['https://a.example', '<p>https://a.example</p>'],
  ] as const) {
    it(`shows ${JSON.stringify(text)}`, () => {
      expect(shown(text)).to.equal(expected);
    });
  }

  const parts = [
    '**',
    '*',
    '`',
    '[',
    '](',
    ')',
    '\\',
    '\n',
    '\n\n',
    '## ',
    '### ',
    '- ',
    '1. ',
    ' ',
    'a',
    '<script>',
    '"',
    '&',
    'https://a.example/',
    'javascript:',
    '(',
    '\u2028',
    '🚀',
  ];
  const anyText = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })), { maxLength: 60 });

  it('has tags of the list only, closed in their order, and links by the rule of url', () => {
    const tag = /<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>|</g;
    fc.assert(
      fc.property(anyText, (written) => {
        const { text } = formattedText(written.join(''));
        const open: string[] = [];
        for (const [whole, close, name, attributes = ''] of text.matchAll(tag)) {
          expect(['h2', 'h3', 'ul', 'ol', 'li', 'p', 'strong', 'em', 'code', 'a'], whole).to.include(name);
          if (close === '/') expect(open.pop()).to.equal(name);
          else open.push(name ?? '');
          if (name !== 'a' || close === '/') expect(attributes).to.equal('');
          else {
            const [, href = '', rel] = /^ href="([^"]*)" rel="([^"]*)"$/.exec(attributes) ?? [];
            expect(rel).to.equal('nofollow ugc noopener');
            expect(urlRule.parse(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"))).to.match(/^https:/);
          }
        }
        expect(open).to.deep.equal([]);
      }),
      { numRuns: rounds(2000, 20_000) },
    );
  });

  const longest = 4000;
  const pumps = [
    '[',
    '**a',
    '*',
    '`',
    '\\',
    '[a](https://x',
    '[a](https://x(',
    '[a',
    '(',
    '**',
    '* a',
    '\\*',
    '<',
    ' ',
    '- a\n',
    '1. a\n',
    '[a](https://b)',
  ];

  it('takes time in proportion to its length, whatever is repeated', () => {
    warmLinearPass();
    for (const pump of pumps) {
      const text = pump.repeat(longest).slice(0, 8 * longest);
      formattedText(text);
      const passes = Array.from({ length: 5 }, () => passesFor(() => formattedText(text)));
      expect(Math.min(...passes), JSON.stringify(pump)).to.be.below(20);
    }
  });
});
