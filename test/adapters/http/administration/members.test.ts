import { expect } from 'chai';
import { pathNameOf } from '../../../../adapters/administration/declaration/command.ts';
import { declaredGroups } from '../../../../adapters/administration/groups.ts';
import { deviceIdRule, deviceNameRule } from '../../../../core/device/device.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import type { ValueRule } from '../../../../core/parsing/value-rule.ts';
import { offlineAgeRule } from '../../../../core/receipt/issue-offline-receipt.ts';
import { freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { committedAdmin, operationsOf } from '../../../support/openapi/document.ts';
import { memory } from '../../../support/stores/stores.ts';

type Ruled = Pick<ValueRule<unknown>, 'rule'>;

const declared = declaredGroups.flatMap(({ commands }) =>
  commands.flatMap(({ operation, members }) => (operation === null ? [] : [{ operation, members }])),
);

/** The rule of each member of the body of a declared command. */
const declaredRules: Readonly<Record<string, Ruled>> = Object.fromEntries(
  declared.flatMap(({ operation: { request }, members }) =>
    Object.entries(members).map(([name, { rule }]) => [`${request?.schema} ${name}`, rule] as const),
  ),
);

/** The rule of each member of another body. */
const rules: Readonly<Record<string, Ruled>> = {
  'OfflineReceiptRequest expires': offlineAgeRule,
  'OfflineReceiptRequest deviceId': deviceIdRule,
  'OfflineReceiptRequest deviceName': deviceNameRule,
};

/** Parameters of lists, each with its rule. Paging and the feed of events have tests of their own. */
const parameters: Readonly<Record<string, Ruled>> = Object.fromEntries(
  declared.flatMap(({ operation: { route }, members }) =>
    Object.entries(members).flatMap(([name, member]) =>
      route.startsWith('GET ') && pathNameOf(name, member) === null
        ? [[`${route.replace('GET ', '').replaceAll(/:(\w+)/g, '{$1}')} ${name}`, member.rule] as const]
        : [],
    ),
  ),
);

const operations = operationsOf(committedAdmin);

describe('the members of a request of the administration', () => {
  const admin = freshAdmin(memory);

  async function messageOf(method: string, path: string, body: unknown): Promise<unknown> {
    const [status, code, message] = outcomeOf(
      await admin().send(method, path.replaceAll(/\{\w+\}/g, 'none'), { body }),
    );
    expect([status, code]).to.deep.equal([400, 'invalid_body']);
    return message;
  }

  for (const { path, method, operation } of operations) {
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    const schema = $ref.split('/').at(-1) ?? '';
    if (schema === '') continue;
    const { properties = {}, required = [] } = committedAdmin.components.schemas[schema] as {
      readonly properties?: object;
      readonly required?: readonly string[];
    };

    it(`are those of its schema, each with its rule: ${method} ${path}`, async () => {
      const missing = required.map((member) => `${member} is missing.`);
      const order = Object.keys(properties).filter((member) => required.includes(member));
      const unknown = '"nonesuch" is not a member of this request.';
      for (const empty of [{}, Object.fromEntries(order.map((member) => [member, null]))]) {
        const message = String(await messageOf(method, path, { ...empty, nonesuch: 1 }));
        expect(message.split(/(?<=\.) /)).to.have.members([unknown, ...missing]);
      }
      for (const member of Object.keys(properties)) {
        const { rule = 'has no rule here' } =
          declaredRules[`${schema} ${member}`] ?? rules[`${schema} ${member}`] ?? {};
        const others = missing.filter((message) => message !== `${member} is missing.`);
        expect(await messageOf(method, path, { [member]: [{}] }), member)
          .to.include(`${member} ${rule}.`)
          .and.have.length([`${member} ${rule}.`, ...others].join(' ').length);
      }
      for (const body of [[], 'name', null]) {
        expect(await messageOf(method, path, body)).to.equal('The request body must be a JSON object.');
      }
    });
  }

  it('name a device by its id, and never by its name alone', async () => {
    const path = '/admin/entitlements/{id}/receipts';
    expect(await messageOf('POST', path, { deviceName: 'A machine' })).to.equal('deviceName needs a deviceId.');
  });

  it('are in the query, once and each with its rule', async () => {
    const described = operations.flatMap(({ path, operation }) =>
      operation.parameters.flatMap((each) =>
        'in' in each && each.in === 'query' && path !== '/admin/events' && !['limit', 'after'].includes(each.name)
          ? [`${path} ${each.name}`]
          : [],
      ),
    );
    expect(Object.keys(parameters)).to.have.members(described);
    for (const [each, { rule }] of Object.entries(parameters)) {
      const [path = '', name = ''] = each.split(' ');
      const refused = async (query: string): Promise<unknown> => outcomeOf(await admin().get(`${path}?${query}`));
      expect(await refused(`${name}=`)).to.deep.equal([400, 'invalid_parameter', `${name} ${rule}.`]);
      const twice = [400, 'invalid_parameter', `${name} must occur once.`];
      expect(await refused(`${name}=a&${name}=a`)).to.deep.equal(twice);
    }
    const reference = await admin().get('/admin/entitlements?reference=sub_1');
    expect(outcomeOf(reference).slice(0, 2)).to.deep.equal([400, 'invalid_parameter']);
  });

  it('are in the path of what a request may create or delete, or have a form of their own there', async () => {
    const ofDeclared = declared.flatMap(({ operation: { route }, members }) =>
      Object.entries(members).flatMap(([member, each]) => {
        const name = pathNameOf(member, each);
        const isStrict = /^(PUT|DELETE) /.test(route) || each.rule !== identifierRule;
        return name === null || !isStrict
          ? []
          : [[...(route.split(' ') as [string, string]), name, each.rule.rule] as const];
      }),
    );
    expect(ofDeclared).to.not.deep.equal([]);
    for (const [method, path, name, rule] of ofDeclared) {
      const body = method === 'PUT' ? {} : undefined;
      for (const id of ['a%20b', '%C2%84', 'x'.repeat(129)]) {
        const real = path.replace(`:${name}`, id).replaceAll(/:\w+/g, 'x01');
        const reply = await admin().send(method, real, { body });
        expect(outcomeOf(reply), `${method} ${path}`).to.deep.equal([400, 'invalid_parameter', `${name} ${rule}.`]);
      }
    }
  });
});
