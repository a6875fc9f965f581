import { identifierRule } from '../../../../../core/identifier.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { html } from '../../../markup/html.ts';
import { entitlementPath } from '../../state/names.ts';
import { commandForm, type AskedAction, type AskTexts } from './action.ts';
import { anyText, licenseKeyField } from './change-fields.ts';
import { licenseName, notified, productName } from './purchase-texts.ts';

/** The actions on a license, in the order of their buttons. */
export const licenseActions: Readonly<
  Record<'rotate-license' | 'move-license' | 'receipt' | 'revoke-license', AskedAction>
> = {
  'rotate-license': {
    title: 'Replace key',
    page: 'RotateLicense',
    operation: 'license_rotated',
    texts: rotation,
    form: commandForm(
      () => [{ ...licenseKeyField, hint: 'A key that the buyer is to have. Empty: a new one is made.' }],
      { licenseKey: anyText },
      [],
      ({ licenseKey = null }) => ({ kind: 'rotate-license', licenseKey }),
    ),
  },
  'move-license': {
    title: 'Move license',
    page: 'MoveLicense',
    operation: 'license_moved',
    done: 'The license was moved.',
    texts: licenseMove,
    form: commandForm(
      () => [
        {
          name: 'to',
          label: 'Entitlement that gets the license',
          input: 'code',
          required: true,
          hint: 'The id of the one that the buyer has now, of the same product.',
        },
      ],
      { to: identifierRule },
      ['to'],
      ({ to }) => ({ kind: 'move-license', to }),
    ),
  },
  receipt: {
    title: 'Receipt',
    page: 'IssueReceipt',
    texts: (purchase) => ({
      question: 'Issue an offline receipt?',
      button: 'Issue receipt',
      consequences: [
        html`It opens ${productName(purchase)} on a machine without a network until it ends, whatever happens to the
        entitlement meanwhile. It cannot be recalled.`,
      ],
    }),
    form: {
      fields: () => [
        {
          name: 'expires',
          input: 'code',
          label: 'Holds for at most',
          hint: 'Such as 30d. Empty: 365d, or the longest time that this server allows.',
        },
      ],
    },
  },
  'revoke-license': {
    title: 'Revoke license',
    page: 'RevokeLicense',
    operation: 'license_revoked',
    done: 'The license was revoked.',
    texts: revocation,
  },
};

function rotation(purchase: Purchase): AskTexts {
  const { license } = purchase.entitlement;
  return {
    question: 'Replace the key?',
    button: 'Replace key',
    back: 'Keep the key',
    isFinal: license !== null,
    consequences: [
      license === null
        ? html`The purchase gets a license key, which you give to the buyer.`
        : html`${licenseName(license.lastFour)} is unknown from now on. Give the new key to the buyer.`,
      html`The new key is shown once, on the next page.`,
      ...notified(purchase, 'license.rotated'),
    ],
  };
}

function licenseMove(purchase: Purchase): AskTexts {
  const { license } = purchase.entitlement;
  return {
    question: 'Move the license?',
    button: 'Move license',
    back: 'Keep it here',
    isFinal: true,
    consequences: [
      html`${licenseName(license?.lastFour ?? null)} opens ${productName(purchase)} by the other entitlement, so the
      apps that have the key go on.`,
      html`The license of the other entitlement is unknown from now on.`,
      ...notified(purchase, 'license.moved'),
    ],
  };
}

function revocation(purchase: Purchase): AskTexts {
  const { id, license } = purchase.entitlement;
  return {
    question: 'Revoke the license?',
    button: 'Revoke license',
    back: 'Keep the key',
    isFinal: true,
    consequences: [
      html`${licenseName(license?.lastFour ?? null)} never verifies again. The entitlement stays as it is.`,
      ...notified(purchase, 'license.revoked'),
    ],
    advice: html`Did the buyer lose it? <a href="${entitlementPath(id)}/rotate-license">Replace it</a> instead: that
      ends this key, too, and gives a new one.`,
  };
}
