import { html } from '../../../adapters/web/markup/html.ts';
import type { ReceivedMail } from './mailbox.ts';
import { outsidePage, type OutsideResponse } from './page.ts';

/** Lists the mails that the service has sent, the newest first. */
export function outboxPage(mails: readonly ReceivedMail[]): OutsideResponse {
  const items = mails.map(
    ({ subject, to, at }, index) =>
      html`<li>
        <a href="/outbox/${index + 1}">${subject}</a>
        <small>to ${to}, ${at.toISOString().slice(11, 16)} UTC (<a href="/outbox/${index + 1}.txt">as text</a>)</small>
      </li>`,
  );
  const list =
    items.length === 0
      ? html`<p>No mail yet.</p>`
      : html`<ul>
          ${items.toReversed()}
        </ul>`;
  return outsidePage(
    'Outbox',
    html`<p class="note">
        What the service has mailed since it was started. Load the page again to see what came since.
      </p>
      ${list}`,
  );
}

/** A mail as its reader sees it, as HTML or as text. Null for one that there is not. */
export function mailIn(mails: readonly ReceivedMail[], name: string): OutsideResponse | null {
  const [, number, isText] = /^([1-9]\d*)(\.txt)?$/.exec(name) ?? [];
  const mail = mails[Number(number) - 1];
  if (mail === undefined) return null;
  const [type, body] = isText === undefined ? ['html', mail.html] : ['plain', mail.text];
  return { status: 200, headers: { 'Content-Type': `text/${type}; charset=utf-8` }, body };
}
