import { versionsIn } from '../../../../core/administration/change-log.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { maxMailTime } from '../../../../core/mail/mail-sender.port.ts';
import { textRule, type ValueRule } from '../../../../core/parsing/value-rule.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { command, type CommandGroup } from '../../declaration/command.ts';
import { optional, required, subject } from '../../declaration/member.ts';
import { enumOf, nullableInstant, objectOf, text } from '../../declaration/schema-parts.ts';
import { mailedTo } from '../mail-commands.ts';
import { fullOutcome, snapshotOutcome } from './snapshot-view.ts';

/** Any text: core refuses what cannot be a key, with the code that the commands have. */
export const licenseKeyText = textRule((key) => key, 'must be a text');

const id = subject('<entitlement>', 'the id of the entitlement');

const mailedThings = ['key', 'link', 'keys'] as const;

/** A command has no queue that mails every key later, as a server has. */
export const mailedThingRule: ValueRule<(typeof mailedThings)[number]> = {
  parse: (typed) => (typed === 'key' || typed === 'link' ? typed : null),
  read: (member) => mailedThings.find((thing) => thing === member) ?? null,
  rule: 'must be key or link, or keys in a request',
};

/** Every key goes to the address that Stripe has, and needs no key. */
function requireNothingElse({ to, licenseKey }: Readonly<Record<'to' | 'licenseKey', string | null>>): void {
  if (to !== null) {
    throw new Refusal('invalid_email', { message: 'to is not for what keys: they go to the address that Stripe has.' });
  }
  if (licenseKey !== null) {
    throw new Refusal('invalid_license_key', { message: 'licenseKey is not for what keys, which finds them.' });
  }
}

export const licenseCommands: CommandGroup = {
  name: 'license',
  tag: { name: 'Licenses', description: 'The license keys of entitlements.' },
  schemas: { LicenseKey: objectOf({ licenseKey: text }), SentMail: objectOf({ sentAt: nullableInstant }) },
  commands: [
    command({
      verb: 'rotate',
      does: 'replace the license key of an entitlement; the new key is shown only once',
      operation: {
        id: 'rotateLicense',
        route: 'POST /admin/entitlements/:id/license/rotate',
        access: 'admin:entitlements',
        summary: 'Replace the license key of an entitlement.',
        description:
          'The old key is unknown from then on. With a `licenseKey` of its own making, a caller can repeat the request safely; without one, each request makes another key.',
        request: { schema: 'LicenseRotationRequest', example: { licenseKey: 'a-license-key-of-my-own-making' } },
        answer: { schema: 'LicenseKeyAnswer', description: 'The license key.' },
        refusals: ['invalid_license_key', 'entitlement_not_found', 'changed_meanwhile', 'license_key_exists'],
      },
      members: { id, licenseKey: optional(null, '', licenseKeyText) },
      log: { rotateLicense: versionsIn },
      run: async ({ rotateLicense }, values, call) => {
        const { licenseKey, snapshot } = await rotateLicense(values.id, values.licenseKey, call);
        const said = `License key, shown only this once: ${licenseKey}`;
        return { data: { licenseKey }, text: said, entitlementId: snapshot.id };
      },
    }),
    command({
      verb: 'revoke',
      does: 'revoke the license key of an entitlement, which stays as it is',
      operation: {
        id: 'revokeLicense',
        route: 'POST /admin/entitlements/:id/license/revoke',
        access: 'admin:entitlements',
        summary: 'Revoke the license of an entitlement.',
        description: 'The entitlement keeps its access otherwise. Repeating it changes nothing.',
        answer: { schema: 'EntitlementAnswer', description: 'The entitlement.' },
        refusals: ['entitlement_not_found', 'changed_meanwhile', 'license_not_found'],
      },
      members: { id },
      log: { revokeLicense: versionsIn },
      run: async ({ revokeLicense }, values, call) => snapshotOutcome(await revokeLicense(values.id, call)),
    }),
    command({
      verb: 'move',
      does: 'move the license key of an entitlement that has ended to another one, for a buyer who comes back',
      operation: {
        id: 'moveLicense',
        route: 'POST /admin/entitlements/:id/license/move',
        access: 'admin:entitlements',
        summary: 'Move the license of an entitlement that has ended to another one.',
        description:
          'For a buyer who comes back: the apps that have the old key go on with the other entitlement, which must be of the same product and must not have ended. Its own license is unknown from then on. Repeating it changes nothing, and completes a move that was interrupted.',
        request: { schema: 'LicenseMoveRequest', example: { to: 'sub_2' } },
        answer: { schema: 'EntitlementAnswer', description: 'The entitlement that has the license now.' },
        refusals: [
          'entitlement_not_found',
          'changed_meanwhile',
          'license_not_found',
          'entitlement_not_ended',
          'entitlement_ended',
          'license_key_exists',
        ],
      },
      members: { id, to: required('<to>', 'the id of the entitlement that gets the key', identifierRule) },
      log: {
        moveLicense: ({ from, to }, { to: toEntitlementId }) => {
          const facts = versionsIn(from) ?? versionsIn(to);
          return facts && { ...facts, toEntitlementId };
        },
      },
      run: async ({ moveLicense }, values, call) => {
        const { to } = await moveLicense({ from: values.id, to: values.to, version: null }, call);
        return snapshotOutcome(to);
      },
    }),
    command({
      verb: 'mail',
      does: 'mail a buyer the license key, or a link that works for 24 hours',
      operation: {
        id: 'mailLicense',
        route: 'POST /admin/entitlements/:id/mail',
        access: 'admin:entitlements',
        summary: 'Mail a buyer the license key, a link, or every key.',
        description:
          'With `what` `key` the key of the entitlement is mailed: that of the request, or else the one that Latchkey has made for a sale of Stripe, unless it was replaced. `link` is a link by which the buyer sees and changes the own entitlement for 24 hours. Both go to the address of the request, or else to that of the buyer at Stripe, and the answer waits for the mail server. `keys` is the mail of `/license/lost`, which is sent after the answer, to the address at Stripe alone: three an hour for an address, with those that buyers ask for, then 429. Neither the address nor a key is stored or logged. Each request sends one more mail.',
        request: {
          schema: 'LicenseMailRequest',
          example: { to: 'ada@example.com', what: 'key', licenseKey: 'a-license-key-of-a-buyer' },
        },
        answer: {
          schema: 'SentMailAnswer',
          description: 'The mail server has taken it or, for `keys`, will be sent it.',
        },
        extraTime: maxMailTime,
        refusals: [
          'limited_key',
          'invalid_email',
          'invalid_license_key',
          'entitlement_not_found',
          'license_not_found',
          'not_sold_by_stripe',
          'entitlement_ended',
          'license_key_unknown',
          'buyer_address_unknown',
          'mail_unavailable',
          'stripe_unavailable',
        ],
      },
      members: {
        id,
        to: {
          ...mailedTo,
          ...optional('--to <address>', "the e-mail address (default: the buyer's at Stripe)", mailedTo.rule),
          docs: 'Default: the address of the buyer at Stripe.',
        },
        what: {
          ...optional('--what <key|link>', 'what is mailed (default: link)', mailedThingRule),
          schema: enumOf(mailedThings),
          docs: 'Default: `key` with a `licenseKey`, else `link`.',
        },
        licenseKey: { ...optional(null, '', licenseKeyText), docs: 'The key that the entitlement has now.' },
      },
      hasBatch: false,
      log: { mailLicense: (_sent, { entitlementId }) => ({ entitlementId }) },
      run: async ({ mailLicense, mailKeys }, { id: entitlementId, to, what, licenseKey }, call) => {
        if (what === 'keys') {
          requireNothingElse({ to, licenseKey });
          await mailKeys({ entitlementId, id: null }, call);
          return { data: { sentAt: null }, entitlementId };
        }
        const { sentAt } = await mailLicense({ entitlementId, to, what, licenseKey }, call);
        return { data: { sentAt }, entitlementId };
      },
    }),
    command({
      verb: null,
      does: '',
      operation: {
        id: 'findByLicenseKey',
        route: 'POST /admin/licenses/find',
        access: 'admin:read',
        summary: 'Find the entitlement of a license key.',
        description: 'For a support desk. The key may be revoked.',
        request: { schema: 'LicenseSearch', example: { licenseKey: 'a-license-key-of-a-buyer' } },
        answer: { schema: 'FullEntitlementAnswer', description: 'The entitlement.' },
        refusals: ['invalid_license_key', 'license_not_found'],
      },
      members: { licenseKey: required(null, '', licenseKeyText) },
      run: async ({ findByLicenseKey }, { licenseKey }, call) => fullOutcome(await findByLicenseKey(licenseKey, call)),
    }),
  ],
};
