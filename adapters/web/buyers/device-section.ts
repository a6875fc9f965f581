import type { Device } from '../../../core/device/device.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
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
  const isPart = devices.length < devicesUsed;
  return html`<section class="section" aria-labelledby="devices">
    <div class="line">
      <h2 id="devices">${words.of('devices')}</h2>
      <p class="muted small">${inUse}</p>
    </div>
    ${
      devices.length === 0
        ? html`<p class="muted">${words.of('noDevice')}</p>`
        : html`<ul class="things">
            ${devices.map((device, index) => item(shown, device, index))}
          </ul>`
    }
    ${isPart ? html`<p class="muted small">${words.of('moreDevices', { count: words.number(devices.length) })}</p>` : null}
  </section>`;
}

function item({ words, now, forms }: ShownLicense, device: Device, index: number): Html {
  const { id, name, activatedAt, seenAt } = device;
  const times = words.of('deviceTimes', { since: words.day(activatedAt), seen: words.ago(seenAt, now) });
  return html`<li>
    ${icon('device')}
    <div>
      <p id="device-${index}">${name === null ? html`<span class="mono">${id}</span>` : html`<bdi>${name}</bdi>`}</p>
      <p class="muted small">${times}</p>
    </div>
    <form method="post" action="${forms.action('release')}">
      ${forms.carried}<input type="hidden" name="device" value="${id}" /><button
        class="button"
        id="release-${index}"
        aria-labelledby="release-${index} device-${index}"
      >
        ${words.of('release')}
      </button>
    </form>
  </li> `;
}
