import { expect } from 'chai';
import { must } from '../../../../../adapters/web/console/form/form-members.ts';
import type { ConsoleRequest } from '../../../../../adapters/web/console/frame/console-page.ts';
import { formRoutes } from '../../../../../adapters/web/console/frame/form-routes.ts';
import { html } from '../../../../../adapters/web/markup/html.ts';
import { displayNameRule } from '../../../../../core/parsing/value-rule.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { aCall, anOperatorKey } from '../../../../support/builders.ts';

const call = aCall();

function aRequest(form: Readonly<Record<string, string>>): ConsoleRequest {
  return {
    call,
    parameters: {},
    query: '',
    form: new URLSearchParams(form),
    header: () => '',
    operatorKey: anOperatorKey(),
    view: { token: 'token', now: call.now, may: () => true, isLimited: false, isDrafter: false, findsBuyers: false },
  };
}

describe('a form of the console', () => {
  it('shows what there is now if it changes between the look at it and the write', async () => {
    const thing = { name: 'Sketchpad' };
    const [, answer] = formRoutes({
      name: 'RenameThing',
      path: '/console/thing/rename',
      access: 'admin:access',
      find: async () => ({ ...thing }),
      asks: () => ({ path: [], here: 'Rename', title: 'Rename?', text: '', button: 'Rename' }),
      back: () => ({ href: '/console/thing', text: 'Back' }),
      members: { name: must({ rule: displayNameRule, label: 'Name' }) },
      seen: ({ name }) => ({ now: { Name: name }, intent: html`rename it.` }),
      act: async () => {
        thing.name = 'Sketchpad 2';
        throw new Refusal('changed_meanwhile');
      },
    });
    const version = JSON.stringify({ Name: 'Sketchpad' });
    const answered = await answer?.handle(aRequest({ version, name: 'Sketchpad 3' }));
    if (answered?.kind !== 'page') throw new Error('the form leads to no page');
    expect([answered.status, answered.error]).to.deep.equal([409, 'changed_meanwhile']);
    expect(answered.main.text).to.match(/Sketchpad<.*Sketchpad 2</s);
  });
});
