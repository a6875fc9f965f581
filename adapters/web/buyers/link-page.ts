import type { LinkedLicense } from '../../../core/buyer/open-link.ts';
import { scheduledEnd } from '../../../core/entitlement/cancellation.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { hasEnded } from '../../../core/entitlement/status.ts';
import { html, type Html } from '../markup/html.ts';
import { icon, type Icon } from '../markup/icons.ts';
import type { Page } from '../markup/layout.ts';
import { foldedDevices } from './device-section.ts';
import { helpSection } from './help-section.ts';
import { head, usableSections } from './license-page.ts';
import { isUsable, licenseState } from './license-state.ts';
import { aside, buyersPage, hostOf, note, outLink, section } from './parts.ts';
import { nameOf, type ShownLicense } from './shown-license.ts';

/** The changes that a link allows. */
export const linkChanges = ['cancel', 'resume', 'replace'] as const;

export type LinkChange = (typeof linkChanges)[number];

/** A license that was opened by a link, and the address of its page. */
export interface ShownLink extends ShownLicense {
  readonly license: LinkedLicense;
  readonly path: string;
}

/** Lists the changes that would change something now. A license that the seller has revoked gets no other key. */
export function changesOf(entitlement: Entitlement, now: Date): readonly LinkChange[] {
  const { status, allowedActions } = snapshotAt(entitlement, now);
  const isReplaceable = !hasEnded(status) && (entitlement.license?.revokedAt ?? null) === null;
  return linkChanges.filter((change) => (change === 'replace' ? isReplaceable : allowedActions.includes(change)));
}

/** The page of a link: the license, and what its buyer can change. */
export function linkPage(shown: ShownLink): Page {
  const { words, license, now } = shown;
  const { link } = license;
  const state = licenseState(license, now, words);
  const help = helpSection(shown, state, true);
  const { returnUrl } = link;
  const until = words.of('linkUntil', { time: words.minute(link.expiresAt, now) });
  return buyersPage(
    shown,
    nameOf(license),
    html`${head(shown, state)}
    ${isUsable(state) ? html`${changeSection(shown)} ${usableSections(shown)} ${help}` : html`${help} ${changeSection(shown)} ${foldedDevices(shown)}`}
    ${returnUrl === null ? null : aside(outLink(returnUrl, words.of('backTo', { host: hostOf(returnUrl) })))}
    ${aside(html`${until} ${words.of('datesAreUtc')}`, ' muted small')}`,
  );
}

const changeIcons: Readonly<Record<LinkChange, Icon>> = { cancel: 'clock', resume: 'renewed', replace: 'key' };

function changeSection(shown: ShownLink): Html | null {
  const { words, path } = shown;
  const items = changesOf(shown.license.entitlement, shown.now).map(
    (change) =>
      html`<li>
        ${icon(changeIcons[change])}
        <div>
          <p><a href="${path}/${change}">${words.of(change)}</a></p>
          <p class="muted small">${says(shown, change)}</p>
        </div>
        ${icon('next')}
      </li> `,
  );
  if (items.length === 0) return null;
  return section(
    'change',
    words.of('changeIt'),
    html`<ul class="things">
      ${items}
    </ul>`,
  );
}

/** The effect of a change, in one line. */
function says({ words, license: { entitlement }, now }: ShownLink, change: LinkChange): Html {
  if (entitlement.kind === 'one_time' || change === 'replace') return words.of('replaceSays');
  return change === 'cancel'
    ? words.of('cancelSays', { date: words.day(scheduledEnd(entitlement, now)) })
    : words.of('resumeSays', { date: words.day(entitlement.currentPeriodEnd) });
}

/** The note about a change, if it is really made; null otherwise, whatever the address says. */
export function doneNote({ words, license }: Pick<ShownLink, 'words' | 'license'>, done: string): Html | null {
  const { entitlement } = license;
  if (entitlement.kind === 'one_time') return null;
  const product = html`<bdi>${nameOf(license)}</bdi>`;
  const { cancellation, currentPeriodEnd } = entitlement;
  if (done === 'cancel' && cancellation !== null) {
    const facts = { product, date: words.day(cancellation.at) };
    return note({ tone: 'ok', role: 'status', title: words.of('canceled'), says: words.of('canceledSays', facts) });
  }
  if (done !== 'resume' || cancellation !== null) return null;
  const facts = { date: words.day(currentPeriodEnd) };
  return note({ tone: 'ok', role: 'status', title: words.of('resumed'), says: words.of('resumeSays', facts) });
}
