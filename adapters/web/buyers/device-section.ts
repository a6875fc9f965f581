import type { Device } from '../../../core/device/device.ts';
import { isOffline } from '../../../core/device/seats.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import { askLink } from './help-section.ts';
import type { ShownLicense } from './shown-license.ts';

/** The devices that have places, each with the button that releases it. Nothing where a license counts none. */
export function deviceSection(shown: ShownLicense): Html | null {
  const { words, license } = shown;
  const { entitlement, devices } = license;
  const { deviceLimit, devicesUsed } = entitlement;
  if (deviceLimit === null && devices.length === 0) return null;
  const used = words.number(devicesUsed);
  const inUse =
    deviceLimit === null
      ? words.of('inUseWithoutLimit', { used })
      : words.of('inUse', { used, limit: words.number(deviceLimit) });
  return html`<section class="section" aria-labelledby="devices">
    <div class="line">
      <h2 id="devices">${words.of('devices')}</h2>
      <p class="muted small">${inUse}</p>
    </div>
    ${devices.length === 0 ? html`<p class="muted">${words.of('noDevice')}</p>` : list(shown)}
  </section>`;
}

/** The same without access, folded, because a buyer does not look for devices then. Null if there are none. */
export function foldedDevices(shown: ShownLicense): Html | null {
  const { words, license, now, done } = shown;
  const { devices, entitlement } = license;
  const { devicesUsed } = entitlement;
  if (devices.length === 0) return null;
  const count = words.number(devicesUsed);
  const opens = devices.some((device) => isOffline(device, now))
    ? null
    : html`<span class="muted small"
        >${words.of(devicesUsed === 1 ? 'deviceOpensNothing' : 'devicesOpenNothing')}</span
      >`;
  return html`<details ${done.isOfDevice ? html` open` : null}>
    <summary><strong>${words.of(devicesUsed === 1 ? 'oneDevice' : 'someDevices', { count })}</strong> ${opens}</summary>
    <div class="section">${list(shown)}</div>
  </details>`;
}

function list(shown: ShownLicense): Html {
  const { words, license } = shown;
  const { devices, entitlement } = license;
  const more =
    devices.length < entitlement.devicesUsed
      ? html`<p class="muted small">${words.of('moreDevices', { count: words.number(devices.length) })}</p>`
      : null;
  return html`<ul class="things">
      ${devices.map((device, index) => item(shown, device, index))}
    </ul>
    ${more}`;
}

function item(shown: ShownLicense, device: Device, index: number): Html {
  const { words, now, forms } = shown;
  const { id, name, activatedAt, seenAt } = device;
  const times = words.of('deviceTimes', { since: words.day(activatedAt), seen: words.ago(seenAt, now) });
  const seller = sellerOnly(shown, device);
  return html`<li>
    ${icon('device')}
    <div>
      <p id="device-${index}">${name === null ? html`<span class="mono">${id}</span>` : html`<bdi>${name}</bdi>`}</p>
      <p class="muted small">${times}</p>
      ${seller === null ? null : html`<p class="muted small">${seller} ${askLink(shown)}</p>`}
    </div>
    ${
      seller === null
        ? html`<form method="post" action="${forms.action('release')}">
            ${forms.carried}<input type="hidden" name="device" value="${id}" /><button
              class="button"
              id="release-${index}"
              aria-labelledby="release-${index} device-${index}"
            >
              ${words.of('release')}
            </button>
          </form>`
        : null
    }
  </li> `;
}

/** Why nobody but the seller can release a device now, so that a button would always be refused. Null if its buyer can. */
function sellerOnly({ words, license, now, releasesDevices }: ShownLicense, device: Device): Html | null {
  const { offlineUntil } = device;
  if (offlineUntil !== null && isOffline(device, now))
    return words.of('worksOffline', { date: words.day(offlineUntil) });
  return releasesDevices || license.entitlement.deviceLimit === null ? null : words.of('sellerReleases');
}
