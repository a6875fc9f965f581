import { scheduledEnd } from '../../../core/entitlement/cancellation.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import { icon, type Icon } from '../markup/icons.ts';
import { lostPath, type Page } from '../markup/layout.ts';
import type { LinkChange, ShownLink } from './link-page.ts';
import { buyersPage, errorLine, note, openInApp, secretBox, type BuyersSite } from './parts.ts';
import { nameOf } from './shown-license.ts';

interface Asked {
  readonly title: TextName;
  readonly heading: TextName;
  readonly button: TextName;
}

const asked: Readonly<Record<LinkChange, Asked>> = {
  cancel: { title: 'cancelTitle', heading: 'cancelHeading', button: 'cancelButton' },
  resume: { title: 'resumeTitle', heading: 'resumeHeading', button: 'resumeButton' },
  replace: { title: 'replaceTitle', heading: 'replaceHeading', button: 'replaceButton' },
};

/** Asks whether to make a change, and describes its effect. */
export function askForChangePage(shown: ShownLink, change: LinkChange): Page {
  const { words, license, path } = shown;
  const { title, heading, button } = asked[change];
  const { entitlement } = license;
  const facts = { product: html`<bdi>${nameOf(license)}</bdi>`, tier: html`<bdi>${entitlement.tierName}</bdi>` };
  return buyersPage(
    shown,
    words.plain(title),
    html`<header><h1>${words.of(heading, facts)}</h1></header>
      ${change === 'replace' ? replaceNote(shown) : consequences(shown, change)}
      <form method="post" action="${path}/${change}" class="buttons">
        <input type="hidden" name="version" value="${entitlement.version}" /><button class="button primary">
          ${words.of(button)}</button
        ><a class="button" href="${path}">${words.of('keepIt')}</a>
      </form>`,
  );
}

function consequences({ words, license: { entitlement }, now }: ShownLink, change: 'cancel' | 'resume'): Html {
  const date = words.day(dayOfChange(entitlement, change, now));
  const items =
    change === 'cancel'
      ? [
          item('done', words.of('cancelKeep', { date })),
          item('done', words.of('cancelCharge')),
          item('renewed', words.of('cancelUndo')),
        ]
      : [item('done', words.of('resumeSays', { date })), item('renewed', words.of('resumeUndo'))];
  return html`<ul class="consequences">
    ${items}
  </ul>`;
}

function item(name: Icon, says: Html): Html {
  return html`<li>${icon(name)}<span>${says}</span></li> `;
}

/** When a cancellation takes effect, or when the period is renewed that goes on. */
function dayOfChange(entitlement: Entitlement, change: 'cancel' | 'resume', now: Date): Date {
  if (entitlement.kind === 'one_time') return now;
  return change === 'cancel' ? scheduledEnd(entitlement, now) : entitlement.currentPeriodEnd;
}

function replaceNote({ words, license: { entitlement } }: ShownLink): Html {
  const { license, devicesUsed } = entitlement;
  const lastFour = license?.lastFour ?? null;
  const title =
    license === null
      ? words.of('replaceNone')
      : lastFour === null
        ? words.of('replaceStops')
        : words.of('replaceStopsKey', { lastFour });
  const says =
    devicesUsed > 1 ? words.of('replaceOnDevices', { count: words.number(devicesUsed) }) : words.of('replaceInProgram');
  return note({ tone: 'warn', title, says });
}

/** Shows a new key, once. */
export function newKeyPage({ words, path, ...shown }: ShownLink, licenseKey: string): Page {
  return buyersPage(
    { words, ...shown },
    words.plain('newKeyTitle'),
    html`<header><h1>${words.of('newKeyHeading')}</h1></header>
      ${note({ tone: 'warn', title: words.of('copyNow'), says: words.of('copyLost') })}
      ${secretBox(words, words.of('licenseKey'), licenseKey)} ${openInApp(words, shown.license.product, licenseKey)}
      <div class="buttons"><a class="button primary" href="${path}">${words.of('copied')}</a></div>`,
  );
}

/** Says that nothing was changed, because it changed meanwhile or cannot be changed any more. */
export function notChangedPage({ words, path, ...shown }: ShownLink, code: string, correlationId: string): Page {
  return buyersPage(
    { words, ...shown },
    words.plain('notChangedTitle'),
    html`<header>
        <h1>${words.of('notChangedTitle')}</h1>
        <p>${words.of('notChangedSays')}</p>
      </header>
      <div class="buttons"><a class="button primary" href="${path}">${words.of('backToLicense')}</a></div>
      ${errorLine(words, code, correlationId)}`,
  );
}

/** The page of a link that is unknown or has ended. */
export function endedLinkPage(site: BuyersSite, correlationId: string): Page {
  const { words, href, mailsLostKeys } = site;
  const lookUp = href('/license');
  return buyersPage(
    site,
    words.plain('linkEndedTitle'),
    html`<header>
        <h1>${words.of('linkEndedTitle')}</h1>
        <p>${words.of(mailsLostKeys ? 'linkEndedSaysMail' : 'linkEndedSays')}</p>
      </header>
      <div class="buttons">
        ${
          mailsLostKeys
            ? html`<a class="button primary" href="${href(lostPath)}">${words.of('newLinkByMail')}</a
                ><a class="button" href="${lookUp}">${words.of('lookUpKey')}</a>`
            : html`<a class="button primary" href="${lookUp}">${words.of('lookUpKey')}</a>`
        }
      </div>
      ${errorLine(words, 'link_not_found', correlationId)}`,
  );
}
