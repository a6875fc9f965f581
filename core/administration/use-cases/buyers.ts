import { deriveLicenseKey } from '../../billing/derive-license-key.ts';
import { isSoldByStripe } from '../../billing/sold-by-stripe.ts';
import type { CreateSupportLink } from '../../buyer/support-link.ts';
import { readCurrentKey } from '../../mail/current-key.ts';
import { mailKeys } from '../../mail/lost/mail-keys.ts';
import { settleRefused } from '../../mail/mail-cases.ts';
import { mailLicense, testMail } from '../../mail/mail-license.ts';
import { retryMails } from '../../mail/retry-mails.ts';
import { skipMails } from '../../mail/skip-mails.ts';
import { ofProducts, ofService, together } from '../../tenant/limits.ts';
import { inviteFromWaitlist } from '../../waitlist/invite.ts';
import { showInvitation, takeInvitation } from '../../waitlist/take-invitation.ts';
import { everySignUp, listWaitlist } from '../../waitlist/waitlist-entries.ts';
import { keysOf } from './keys.ts';
import type { Parts } from './parts.ts';

/** The waitlist, and the mails and links for buyers. */
export function buyersOf({ ports, platform, createSupportLink, loadMail, addresses, askAtDesk, merchantUrl }: Parts) {
  const { allEntitlements: entitlements, deliveryStreams, entitlementHistory: history, products, waitlist } = ports;
  const { stripeCases: cases } = ports;
  const { digest, newSessionToken: newToken, randomBytes } = platform;
  const isSold = isSoldByStripe(ports.priceMap);
  const createLink: CreateSupportLink = async (request, call) => {
    const link = await createSupportLink(request, call);
    await settleRefused(cases, request.entitlementId, call);
    return link;
  };
  const { issueOperatorKey: issue } = keysOf({ ports, platform }).useCases;
  const invitations = { waitlist, products, issue, digest };
  return together(
    ofService({
      listWaitlist: listWaitlist(waitlist),
      everySignUp: everySignUp(waitlist),
      eraseFromWaitlist: waitlist.erase.bind(waitlist),
      inviteFromWaitlist: inviteFromWaitlist({
        waitlist,
        products,
        newToken,
        digest,
        merchantUrl,
        loadMail,
        randomBytes,
      }),
      // To any address, in the seller's words, from the sender of all.
      mailLicense: mailLicense({
        entitlements,
        history,
        products,
        createLink: createSupportLink,
        isSold,
        addresses,
        readKey: readCurrentKey(deriveLicenseKey(ports.licenseSecrets, platform), digest),
        loadMail,
        digest,
        randomBytes,
        cases,
      }),
      testMail: testMail({ loadMail, randomBytes }),
      retryMails: retryMails(deliveryStreams),
      skipMails: skipMails(deliveryStreams, cases),
    }),
    ofProducts({
      createSupportLink: createLink,
      mailKeys: mailKeys({ cases, entitlements, isSold, randomBytes, addresses, askAtDesk }),
      // The link of an invitation reaches the products of its key.
      showInvitation: showInvitation(invitations),
      takeInvitation: takeInvitation(invitations),
    }),
  );
}
