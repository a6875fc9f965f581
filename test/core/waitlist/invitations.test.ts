import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { AdministrationSettings } from '../../../core/administration/use-cases/parts.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { OutgoingMail } from '../../../core/mail/mail-sender.port.ts';
import type { InvitationRequest } from '../../../core/waitlist/invite.ts';
import { aCall, aProduct, aSignUp, day, hour, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const merchantUrl = 'https://merchants.example';
const byOperator = aCall({ by: 'operator:opk_1' });

describe('an invitation of the waitlist', () => {
  const store = freshStore(memory.open);
  const administration = (settings: AdministrationSettings = { merchantUrl }, ports = store()): Administration =>
    administrationOf(ports, nodePlatform, settings);
  const invite = async (given?: Partial<InvitationRequest>, a = administration()): Promise<string> =>
    tokenOf((await a.inviteFromWaitlist(request(given), byOperator)).url);
  const keys = (): Promise<readonly OperatorKey[]> => store().allOperatorKeys.page({ after: null, limit: 50 }, aCall());

  beforeEach(async () => {
    await store().products.put(aProduct({ name: 'Sketchpad' }), aCall());
    await store().products.put(aProduct({ id: 'prod_2', name: 'Notes' }), aCall());
    await store().waitlist.join(aSignUp(), aCall());
  });

  it('is a link of a week, by which a key without an end is got, for all that it can give', async () => {
    const made = await administration().inviteFromWaitlist(request(), byOperator);
    expect(made.url).to.match(/^https:\/\/merchants\.example\/console\/invitations\/[\w-]{43}$/);
    expect({ ...made, url: '' }).to.deep.equal({
      url: '',
      expiresAt: later(7 * day),
      invitedAt: noon,
      hasAddress: true,
    });
    const token = tokenOf(made.url);
    const entry = await store().waitlist.find('ada@example.com', aCall());
    const scopes = ['admin:read', 'admin:entitlements', 'admin:catalog'] as const;
    const digest = nodePlatform.digest(token);
    const terms = { products: ['prod_1'], scopes, expiresAt: later(7 * day), invitedBy: 'operator:opk_1' };
    expect(entry).to.deep.equal(aSignUp({ invitedAt: noon, invitation: { digest, ...terms } }));

    const stranger = aCall({ by: 'public', products: new Set() });
    for (const _ of range(10)) {
      const { products, expiresAt } = await administration().showInvitation(token, stranger);
      expect([products.map(({ name }) => name), expiresAt]).to.deep.equal([['Sketchpad'], later(7 * day)]);
    }
    expect(await store().waitlist.find('ada@example.com', aCall())).to.deep.equal(entry);
    const { issued, key } = await administration().takeInvitation(token, stranger);
    expect(key).to.match(/^svc_op_live_/);
    expect(issued).to.include({ name: 'Ada', expiresAt: null });
    expect([issued.products, issued.scopes]).to.deep.equal([['prod_1'], scopes]);
    expect(await keys()).to.deep.equal([issued]);
    expect(await store().waitlist.find('ada@example.com', aCall())).to.deep.equal(aSignUp({ invitedAt: noon }));
    for (const name of ['showInvitation', 'takeInvitation'] as const) {
      expect(await refusalOf(administration()[name](token, stranger))).to.have.property('code', 'link_not_found');
    }
  });

  it('gives the scopes and the products that it names, and ends when it says', async () => {
    const token = await invite({ products: ['prod_1', 'prod_2'], scopes: ['admin:read'], expires: hour });
    for (const [now, outcome] of [
      [later(hour), 'link_not_found'],
      [later(hour - 1), undefined],
    ] as const) {
      const call = aCall({ now, by: 'public', products: new Set() });
      const taken = administration().takeInvitation(token, call);
      if (outcome !== undefined) expect(await refusalOf(taken)).to.have.property('code', outcome);
      else expect((await taken).issued).to.deep.include({ products: ['prod_1', 'prod_2'], scopes: ['admin:read'] });
    }
  });

  it('ends the one before, and ends with the entry', async () => {
    const first = await invite();
    const second = await invite();
    expect(await refusalOf(administration().showInvitation(first, aCall()))).to.have.property('code', 'link_not_found');
    await administration().showInvitation(second, aCall());
    await administration().eraseFromWaitlist('ada@example.com', aCall());
    for (const name of ['showInvitation', 'takeInvitation'] as const) {
      expect(await refusalOf(administration()[name](second, aCall()))).to.have.property('code', 'link_not_found');
    }
    for (const token of ['', 'short', 'A'.repeat(43), 'é'.repeat(43)]) {
      expect(await refusalOf(administration().takeInvitation(token, aCall()))).to.have.property(
        'code',
        'link_not_found',
      );
    }
  });

  it('is refused for an address without an entry and an unknown product, and changes nothing then', async () => {
    for (const [given, code] of [
      [{ email: 'bob@example.com' }, 'signup_not_found'],
      [{ products: ['prod_1', 'none'] }, 'product_not_found'],
    ] as const) {
      expect(await refusalOf(administration().inviteFromWaitlist(request(given), aCall()))).to.have.property(
        'code',
        code,
      );
    }
    expect(await store().waitlist.find('ada@example.com', aCall())).to.deep.equal(aSignUp());
  });

  it('gives one key to sixteen forms at once', async () => {
    const token = await invite();
    const outcomes = await Promise.allSettled(range(16).map(() => administration().takeInvitation(token, aCall())));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await keys()).to.have.length(1);
  });

  it('is lost by a kill before the key is issued, leaves no key behind, and is made again', async () => {
    const token = await invite();
    const allOperatorKeys = failing(store().allOperatorKeys, { method: 'add', nth: 1, when: 'before' });
    const killed = administration({}, { ...store(), allOperatorKeys });
    expect(await thrownBy(killed.takeInvitation(token, aCall()))).to.be.instanceOf(InjectedFault);
    expect(await keys()).to.deep.equal([]);
    expect(await refusalOf(administration().takeInvitation(token, aCall()))).to.have.property('code', 'link_not_found');
    await administration().takeInvitation(await invite(), aCall());
    expect(await keys()).to.have.length(1);
  });

  for (const [name, handle, expected] of [
    [null, 'ada', 'ada'],
    ['ada@example.com', '@ada', '@ada'],
    ['Ada (ada@example.com)', null, 'Merchant of Sketchpad'],
    [' ', null, 'Merchant of Sketchpad'],
  ] as const) {
    it(`names the key ${expected} after ${JSON.stringify([name, handle])}, and never by an address`, async () => {
      await store().waitlist.join(aSignUp({ email: 'bob@example.com', name, handle }), aCall());
      const token = await invite({ email: 'bob@example.com' });
      expect((await administration().takeInvitation(token, aCall())).issued.name).to.equal(expected);
    });
  }

  it('is a path where no address of merchants is set', async () => {
    const made = await administration({}).inviteFromWaitlist(request(), aCall());
    expect(made.hasAddress).to.equal(false);
    expect(made.url).to.match(/^\/console\/invitations\//);
  });

  it('is mailed to the address of the entry, if it is asked for', async () => {
    const sent: OutgoingMail[] = [];
    const loadMail = mailTakenBy(async (mail) => {
      sent.push(mail);
      return { outcome: 'sent' };
    });
    const token = await invite({ isMailed: true }, administration({ merchantUrl, loadMail }));
    const [mail] = sent;
    expect(mail?.to).to.equal('Ada@Example.com');
    expect(mail?.messageId).to.match(/^invite\.\S+@latchkey\.test$/);
    expect(mail?.text).to.include(`${merchantUrl}/console/invitations/${token}`).and.include('25 July 2026, 12:00 UTC');
    expect(mail?.subject).to.equal('Your invitation to Latchkey');
  });

  it('is not made where the mail cannot be sent, and stays where the server has not taken it', async () => {
    const loadMail = mailTakenBy(async () => ({ outcome: 'failed', code: 'timeout' }));
    for (const [settings, invitedAt] of [
      [{ merchantUrl }, null],
      [{ loadMail }, null],
      [{ merchantUrl, loadMail }, noon],
    ] as const) {
      const asked = administration(settings).inviteFromWaitlist(request({ isMailed: true }), aCall());
      expect(await refusalOf(asked)).to.have.property('code', 'mail_unavailable');
      expect((await store().waitlist.find('ada@example.com', aCall()))?.invitedAt).to.deep.equal(invitedAt);
    }
  });
});

function request(given: Partial<InvitationRequest> = {}): InvitationRequest {
  return { email: 'ADA@example.com', products: ['prod_1'], scopes: null, expires: null, isMailed: false, ...given };
}

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
