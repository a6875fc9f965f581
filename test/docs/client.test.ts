import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { messageBody } from '../../adapters/http/webhooks/webhook-message.ts';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import * as client from '../../client/index.ts';
import { aLicense, anEvent, aSubscription } from '../support/builders.ts';
import { readMarkdown, type Markdown } from '../support/documents/markdown.ts';
import { runModule } from '../support/documents/run-module.ts';
import { appKeys, licenseKeys, operatorKeys } from '../support/http/fixtures.ts';
import { startService } from '../support/http/service-hooks.ts';
import { memory } from '../support/stores/stores.ts';
import { aSecret } from '../support/webhooks/builders.ts';

interface SentWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function signed(body: string): SentWebhook {
  const [id, sentAt] = ['evt_1', new Date()];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(aSecret).sign(id, sentAt, body),
  };
  return { body, headers };
}

/** An event, the message of a test, a forged event, one with a malformed body, and with malformed and no headers. */
function sentWebhooks(): readonly SentWebhook[] {
  const event = signed(messageBody(anEvent(aSubscription({ id: 'ent_1' }))));
  const test = signed(messageBody({ id: 'evt_1', type: 'webhook.test', at: new Date() }));
  const malformed = { ...event.headers, 'webhook-timestamp': 'now', 'webhook-signature': 'v1,é' };
  return [
    event,
    test,
    { ...event, body: event.body.replace('ent_1', 'ent_2') },
    signed('{'),
    { ...event, headers: malformed },
    { body: '', headers: {} },
  ];
}

/** A program that lets the snippet receive them, and prints its answers. */
function requestsOf(sent: readonly SentWebhook[]): string {
  return `for (const { body, headers } of ${JSON.stringify(sent)}) {
    console.log((await receive(new Request('http://a.example', { method: 'POST', body, headers }))).status);
  }`;
}

describe('docs/client.md', () => {
  let document: Markdown;
  let folder: string;

  before(async () => {
    document = await readMarkdown('docs/client.md');
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('names every class of errors', () => {
    const classes = Object.values<unknown>(client).flatMap((each) =>
      typeof each === 'function' && each.prototype instanceof client.LatchkeyError ? [each.name] : [],
    );
    expect(document.table('class').map(([name]) => name)).to.have.members(classes);
  });

  it('names every group of operations of the administration', () => {
    const groups = Object.keys(new LatchkeyAdmin({ baseUrl: 'http://a.example', operatorKey: operatorKeys.full }));
    const text = document.paragraphs.find((each) => each.startsWith('The operations are grouped in')) ?? '';
    expect(text.split('.')[0]?.match(/\w+/g)).to.include.members(groups);
  });

  it('shows programs that work', async () => {
    const [start = '', verify = '', events = '', webhook = '', admin = ''] = document.codeBlocks('ts');
    const service = await startService(memory, { adminPort: 0 });
    const license = aLicense({ digest: digest(licenseKeys.active) });
    await service.grant(aSubscription({ id: 'ent_demo', productId: 'prod_1', license }));
    try {
      const env = { LATCHKEY_URL: service.url, LATCHKEY_APP_KEY: appKeys.full };
      expect(await run(start, env)).to.equal('canceled, with access until 2026-08-01T00:00:00.000Z\n');
      const asked = `${verify}\nconsole.log(await mayRun('${licenseKeys.active}', true));`;
      expect(await run(asked, env)).to.equal('false\n');
      expect(await run(asked.replace("'sketchpad'", "'prod_1'"), env)).to.equal('true\n');
      expect(await run(asked, { ...env, LATCHKEY_URL: 'http://127.0.0.1:1' })).to.equal('true\n');
      expect(await run(events, env)).to.match(/^entitlement.cancellation_scheduled ent_demo$/m);
      expect(await run(`${webhook}\n${requestsOf(sentWebhooks())}`, { ...env, WEBHOOK_SECRET: aSecret })).to.equal(
        'entitlement.granted ent_1\n204\n204\n400\n400\n400\n400\n',
      );
      await service.addOperatorKey(operatorKeys.full);
      const operator = { ADMIN_URL: service.adminUrl ?? '', OPERATOR_KEY: operatorKeys.full };
      expect(await run(`${admin}\nconsole.log(typeof licenseKey);`, operator)).to.equal('ent_1 active\nstring\n');
    } finally {
      await service.stop();
    }
  });

  const run = (program: string, env: NodeJS.ProcessEnv): Promise<string> => runModule(program, { cwd: folder, env });
});
