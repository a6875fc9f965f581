import { buyersCall } from '../../../core/buyer/buyers-call.ts';
import type { BuyersLicense } from '../../../core/buyer/buyers-license.ts';
import type { Call } from '../../../core/call.ts';
import { deviceIdRule, deviceRule } from '../../../core/device/device.ts';
import type { NamedDevice } from '../../../core/receipt/issue-offline-receipt.ts';
import type { IssuedReceipt } from '../../../core/receipt/issue-receipt.ts';
import { Refusal, retrySeconds } from '../../../core/refusal.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import type { Html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';
import { noStore, type BuyerError, type PageAnswer, type PageRequest } from '../page/page.ts';
import { note } from './parts.ts';
import type { Done } from './shown-license.ts';

/** Issues an offline receipt of an entitlement that the buyer may see. */
export type IssueBuyersReceipt = (
  entitlementId: string,
  device: NamedDevice | null,
  call: Call,
) => Promise<IssuedReceipt>;

/** A license that a buyer has opened, by its key or by a link. */
export interface OpenLicense {
  readonly license: BuyersLicense;
  readonly readAgain: () => Promise<BuyersLicense>;
  readonly release: (device: string) => Promise<unknown>;
  readonly page: (license: BuyersLicense, done: Done) => Page;
  readonly receiptPage: (issued: IssuedReceipt, deviceId: string | null) => Page;
}

/** Renders a page of this status as its answer. */
export type AnswerWith = (page: Page, status?: number, error?: BuyerError) => PageAnswer;

/** Releases the device that a form names, and shows the license again. */
export async function answerRelease(
  open: OpenLicense,
  { form, call }: PageRequest,
  words: Words,
  answer: AnswerWith,
): Promise<PageAnswer> {
  const device = deviceRule.parse(form.get('device') ?? '');
  const refused = (says: Html): Done => ({
    note: note({ tone: 'bad', role: 'alert', title: words.of('notReleased'), says }),
    isOfDevice: true,
  });
  if (device === null) return answer(open.page(open.license, refused(words.of('deviceUnknown'))), 400, 'invalid_body');
  try {
    await open.release(device);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const { code, details } = cause;
    if (code === 'device_offline')
      return answer(open.page(open.license, refused(words.of('deviceOffline'))), 409, code);
    if (code !== 'too_many_releases') throw cause;
    const { retryAt } = details;
    const says = words.of('releasedTooOften', { time: retryAt === undefined ? '' : words.instant(retryAt) });
    const headers = ['Retry-After', String(retrySeconds(details, call.now))];
    return { ...answer(open.page(open.license, refused(says)), 429, code), headers };
  }
  const done = note({ tone: 'ok', role: 'status', title: words.of('released'), says: words.of('releasedSays') });
  return answer(open.page(await open.readAgain(), { note: done, isOfDevice: true }));
}

/** Issues the receipt that a form asks for, and shows it or sends it as a file. */
export async function answerReceipt(
  open: OpenLicense,
  { form, call }: PageRequest,
  words: Words,
  answer: AnswerWith,
  issue: IssueBuyersReceipt,
): Promise<PageAnswer> {
  const { entitlement } = open.license;
  const limit = entitlement.deviceLimit;
  const typed = form.get('deviceId') ?? '';
  const deviceId = limit === null ? null : deviceIdRule.parse(typed);
  const wrongId = (name: TextName): Done => ({
    note: null,
    deviceId: { typed, error: words.of(name, { limit: words.number(limit ?? 0) }) },
  });
  if (limit !== null && deviceId === null) {
    return answer(open.page(open.license, wrongId('deviceIdError')), 400, 'invalid_body');
  }
  try {
    const device = deviceId === null ? null : { deviceId, name: null };
    const issued = await issue(entitlement.id, device, buyersCall(call, entitlement));
    if (form.get('as') === 'file') return fileOf(entitlement.productId, issued);
    return answer(open.receiptPage(issued, deviceId));
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const { code } = cause;
    if (code === 'device_limit')
      return answer(open.page(await open.readAgain(), wrongId('deviceLimitError')), 409, code);
    if (code !== 'no_access') throw cause;
    const facts = { title: words.of('noReceipt'), says: words.of('noAccessSays') };
    return answer(open.page(open.license, { note: note({ tone: 'bad', role: 'alert', ...facts }) }), 409, code);
  }
}

function fileOf(productId: string, { receipt }: IssuedReceipt): PageAnswer {
  const name = `${productId.replaceAll(/[^\w.-]/g, '_')}-receipt.txt`;
  return {
    status: 200,
    content: receipt,
    contentType: 'text/plain; charset=utf-8',
    cacheControl: noStore,
    headers: ['Content-Disposition', `attachment; filename="${name}"`],
  };
}
