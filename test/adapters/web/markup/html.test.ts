import { expect } from 'chai';
import * as fc from 'fast-check';
import { asWritten, escapedInTurns, html, jsonScript } from '../../../../adapters/web/markup/html.ts';
import { eventLoopTurnsDuring } from '../../../support/event-loop.ts';

describe('the HTML of a template', () => {
  it('escapes every text, in content and in attributes', () => {
    const hostile = `"'><script>alert(1)</script>&amp;`;
    const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;';
    expect(html`<a title="${hostile}">${hostile}</a>`.text).to.equal(`<a title="${escaped}">${escaped}</a>`);
  });

  it('shows no text in another order than it has, and gives forms back what they had', () => {
    const turned = 'a\u202Etxt.\u2067exe\u2069 שלום';
    const shown = html`<input value="${turned}" /><b>${turned}</b><textarea>${asWritten(turned)}</textarea>`;
    const plain = 'atxt.exe שלום';
    expect(shown.text).to.equal(`<input value="${turned}" /><b>${plain}</b><textarea>${turned}</textarea>`);
  });

  it('keeps other HTML, lists of it and numbers, and leaves null out', () => {
    const items = ['<', 'b'].map((text) => html`<i>${text}</i>`);
    expect(html`<p>${items}${null}${html`<b>c</b>`}${1.5}</p>`.text).to.equal('<p><i>&lt;</i><i>b</i><b>c</b>1.5</p>');
  });

  it('never has markup of a text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(html`${text}`.text).to.not.match(/[<>"']/);
      }),
    );
  });

  it('escapes a long text as it escapes its parts', () => {
    const part = `a&lt;<b> "c" 'd' & ä🎉`;
    const times = 1000;
    expect(html`${part.repeat(times)}`.text).to.equal(html`${part}`.text.repeat(times));
  });

  it('escapes a text of any length, and leaves other requests their turn meanwhile', async () => {
    const part = `a&lt;<b> "c" 'd' & ä🎉`;
    const times = 40_000;
    const escaping = escapedInTurns(part.repeat(times));
    expect(await eventLoopTurnsDuring(escaping)).to.be.greaterThan(20);
    expect((await escaping).text === html`${part}`.text.repeat(times)).to.equal(true);
    expect((await escapedInTurns('')).text).to.equal('');
  });

  it('holds data that cannot end its block', () => {
    const value = { name: '</script><script>alert(1)</script><!--' };
    const { text } = jsonScript(value);
    const [, json = ''] = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(text) ?? [];
    expect(JSON.parse(json)).to.deep.equal(value);
  });
});
