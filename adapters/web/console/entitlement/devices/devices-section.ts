import type { Device } from '../../../../../core/device/device.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { html, type Html } from '../../../markup/html.ts';
import { table, type Column } from '../../../markup/table.ts';
import { instant, momentText, shortFullDayText, timeElement } from '../../display/dates.ts';
import { mono, written } from '../../display/parts.ts';
import type { PageView } from '../../display/view.ts';
import { entitlementPath } from '../../state/names.ts';
import { devicesText } from '../../state/terms.ts';

/** The number of devices on the page of an entitlement. */
export const shownDevices = 100;

export function releasePath(entitlementId: string, device: string): string {
  return `${entitlementPath(entitlementId)}/devices/${device}/release`;
}

export function clearPath(entitlementId: string): string {
  return `${entitlementPath(entitlementId)}/devices/clear`;
}

/** The devices that use the license, those that were not seen for the longest time first. Null without a limit and devices. */
export function devicesSection(
  entitlement: FullSnapshot,
  devices: readonly Device[],
  mayRelease: boolean,
  { now, isLimited }: PageView,
): Html | null {
  const { id, deviceLimit, devicesUsed } = entitlement;
  if (deviceLimit === null && devicesUsed === 0) return null;
  const more = devicesUsed > devices.length && devices.length === shownDevices;
  return html`<section class="section" aria-labelledby="devices">
    <div class="line">
      <h2 id="devices">${devicesText(entitlement)}</h2>
      ${devices.length === 0 || !mayRelease ? null : html`<a class="button" href="${clearPath(id)}">Release all</a>`}
    </div>
    ${limitSource(entitlement)}
    ${devices.length === 0 ? html`<p class="muted">No device has a seat.</p>` : table('Devices', columns(id, mayRelease, now), devices)}
    ${more ? html`<p class="muted small">These ${shownDevices} were not seen for the longest time.${isLimited ? null : html` On the server, <span class="mono">device list ${id}</span> shows all.`}</p>` : null}
  </section>`;
}

/** The source of the limit; null without a limit. */
function limitSource({ own, deviceLimit }: FullSnapshot): Html | null {
  if (own.deviceLimit === null && deviceLimit === null) return null;
  const source = own.deviceLimit === null ? 'that of its tier' : own.deviceLimit === 'unlimited' ? null : 'its own';
  return html`<p class="muted small">
    ${source === null ? 'Unlimited by its own value, whatever its tier says.' : `The limit is ${source}.`}
  </p>`;
}

function columns(id: string, mayRelease: boolean, now: Date): readonly Column<Device>[] {
  const release = (device: Device): Html =>
    html`<a
      class="button"
      href="${releasePath(id, device.id)}"
      id="release-${device.id}"
      aria-labelledby="release-${device.id} ${device.id}"
      >Release</a
    >`;
  return [
    { heading: 'Device', cell: (device) => html`<span id="${device.id}">${shortName(device)}</span>` },
    {
      heading: 'Activated',
      isMuted: true,
      cell: ({ activatedAt }) => timeElement(activatedAt, shortFullDayText(activatedAt)),
    },
    {
      heading: 'Last seen',
      isMuted: true,
      cell: ({ seenAt, offlineUntil }) =>
        offlineUntil === null || offlineUntil <= now
          ? timeElement(seenAt, momentText(seenAt, now))
          : html`${timeElement(seenAt, momentText(seenAt, now))}<span class="sub"
                >Offline receipt until ${instant(offlineUntil)}</span
              >`,
    },
    ...(mayRelease ? [{ heading: '', atEnd: true, cell: release }] : []),
  ];
}

/** The app's name for a device, and the service's. */
export function nameOf({ id, name }: Pick<Device, 'id' | 'name'>): Html {
  const heading = name === null ? html`<span class="muted">No name</span>` : written(name);
  return html`${heading}<span class="sub mono">${id}</span>`;
}

/** The name of a device on one line. A device without one is told apart by its id. */
function shortName({ id, name }: Device): Html {
  return name === null ? html`<span class="muted">No name</span> ${mono(id)}` : written(name);
}
