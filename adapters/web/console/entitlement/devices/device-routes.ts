import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Device } from '../../../../../core/device/device.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { html, type Html } from '../../../markup/html.ts';
import { instantText } from '../../display/dates.ts';
import { mono } from '../../display/parts.ts';
import type { ConsoleRoute } from '../../frame/console-page.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../../frame/decision-routes.ts';
import { crumbsTo, entitlementPath } from '../../state/names.ts';
import { devicesText } from '../../state/terms.ts';
import { clearPath, nameOf, releasePath } from './devices-section.ts';

type DeviceParts = Pick<Administration, 'showEntitlement' | 'findDevice' | 'releaseDevice' | 'clearDevices'>;

const access = 'admin:entitlements';

/** The pages that release one device, and all devices, of an entitlement. */
export function deviceRoutes(parts: DeviceParts): readonly ConsoleRoute[] {
  return [...decisionRoutes(onDevice(parts), [release(parts)]), ...decisionRoutes(onAll(parts), [clear(parts)])];
}

/** A device that a page is about; `device` is null once it has no seat. */
interface AskedDevice {
  readonly id: string;
  readonly device: Device | null;
  readonly entitlement: Pick<FullSnapshot, 'id' | 'deviceLimit' | 'devicesUsed'>;
}

function onDevice({ findDevice }: DeviceParts): DecidedOn<AskedDevice> {
  return {
    noun: 'device',
    kind: 'Device',
    access,
    path: () => releasePath(':id', ':device'),
    find: async ({ call, parameters: { id = '', device = '' } }) => ({
      id: device,
      ...(await findDevice(id, device, call)),
    }),
    crumbs: ({ entitlement }) => crumbsTo(entitlement.id),
    facts: ({ entitlement, id, device }) => [
      ['Device', nameOf({ id, name: device?.name ?? null })],
      ['Activated', device === null ? 'Has no seat' : instantText(device.activatedAt)],
      ['Entitlement', mono(entitlement.id)],
      ['In use', devicesText(entitlement)],
    ],
    seen: ({ device }) => ({ Activated: device === null ? 'Has no seat' : device.activatedAt.toISOString() }),
    intent: ({ id }, verb) => html`${verb} ${mono(id)}.`,
    back: ({ entitlement }) => entitlementPath(entitlement.id),
  };
}

function release({ releaseDevice }: DeviceParts): Decision<AskedDevice> {
  return {
    name: 'release',
    done: 'released',
    verb: 'Release',
    heading: 'Its seat is free for another device.',
    effects: ({ device }, { view }) => [...runsOn, ...offlineEnd(device, view.now)],
    milder: () => leakAdvice,
    isDone: ({ device }) => device === null,
    run: ({ entitlement, id }, call) => releaseDevice(entitlement.id, id, call),
  };
}

function onAll({ showEntitlement }: DeviceParts): DecidedOn<FullSnapshot> {
  return {
    noun: 'device',
    kind: 'Devices',
    access,
    path: () => clearPath(':id'),
    find: ({ call, parameters: { id = '' } }) => showEntitlement(id, call),
    crumbs: ({ id }) => crumbsTo(id),
    facts: (entitlement) => [
      ['Entitlement', mono(entitlement.id)],
      ['In use', devicesText(entitlement)],
    ],
    seen: (entitlement) => ({ 'In use': devicesText(entitlement) }),
    intent: ({ id }) => html`release all devices of ${mono(id)}.`,
    back: ({ id }) => entitlementPath(id),
  };
}

function clear({ clearDevices }: DeviceParts): Decision<FullSnapshot> {
  return {
    name: 'clear',
    done: 'cleared',
    verb: 'Release',
    question: 'Release all devices?',
    button: 'Release all',
    heading: 'All seats are free for other devices.',
    effects: () => runsOn,
    milder: () => leakAdvice,
    isDone: ({ devicesUsed }) => devicesUsed === 0,
    run: ({ id }, call) => clearDevices(id, call),
  };
}

const runsOn: readonly Html[] = [
  html`A device that is released runs on its receipt until that ends.`,
  html`It may take a seat again: a release bans nobody.`,
];

const leakAdvice = html`Has the license key leaked? Replace the key first, and release all devices then.`;

function offlineEnd(device: Device | null, now: Date): readonly Html[] {
  const end = device?.offlineUntil ?? null;
  if (end === null || end <= now) return [];
  return [html`It has an offline receipt until ${instantText(end)}, which cannot be recalled.`];
}
