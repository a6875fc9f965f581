import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../docs/generate/repository.ts';
import { fakeStripe, type FakeStripe } from '../../testing/index.ts';
import { programWord, runCommands } from '../support/documents/in-process.ts';
import { readMarkdown } from '../support/documents/markdown.ts';
import { startScript, type RunningScript } from '../support/documents/shell.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { MailReceiver } from '../support/mail/mail-receiver.ts';
import { isLeftOut } from '../support/run/left-out.ts';

const withCurl = isLeftOut('curl') ? null : it;

describe('docs/first-sale.md', () => {
  let folder: string;
  let shop: FakeStripe;
  let server: RunningScript | null;
  let receiver: MailReceiver;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
    server = null;
  });
  afterEach(async () => {
    await server?.stop();
    await shop.stop();
    await receiver.close();
    await rm(folder, { recursive: true });
  });

  withCurl?.('leads from an empty folder to a sale, a lookup, a refund and a backup', async () => {
    const document = await readMarkdown('docs/first-sale.md');
    const [port, adminPort] = await freePorts(2);
    const { STORE_URL: _, ...inherited } = process.env;
    const secrets = { STRIPE_API_KEY_FILE: 'stripe-api-key', STRIPE_WEBHOOK_SECRET_FILE: 'stripe-webhook-secret' };
    const mailSettings = { SMTP_URL_FILE: 'smtp-url', MAIL_FROM: 'Sketchpad <keys@sketchpad.example>' };
    const run = (script: string): Promise<string> =>
      runCommands(here(script), { env: { ...inherited, STRIPE_API_BASE: shop.url }, cwd: folder });
    /** A script of the page, with ports that are free. */
    const here = (script: string): string =>
      script
        .replaceAll('deploy/', `${root}/deploy/`)
        .replaceAll(/\b3000\b/g, String(port))
        .replaceAll(/\b9100\b/g, String(adminPort));
    const serve = async (script: string, env: NodeJS.ProcessEnv): Promise<void> => {
      await server?.stop();
      server = startScript(here(script).replace('./latchkey', programWord), {
        env: { ...inherited, ...env },
        cwd: folder,
      });
      await eventually(() => isServing(`http://127.0.0.1:${port}/livez`), Boolean);
    };

    const [settings = ''] = document.codeBlocks('json');
    const [sold = '', check = '', serveFirst = '', operator = '', compare = '', serveStripe = '', mail = '', ...later] =
      document.codeBlocks('sh');
    const [keys = '', trial = '', verify = '', find = '', revoke = '', backUp = '', ...rest] = later;
    expect(rest).to.deep.equal([]);

    shop.addPrice({ id: 'price_1' });
    await run(sold);
    await writeFile(join(folder, 'latchkey.json'), here(settings));
    await run(check);
    await serve(serveFirst, {});
    expect(await run(operator)).to.match(/^Key/m);
    await writeFile(join(folder, 'stripe-api-key'), shop.apiKey);
    await writeFile(join(folder, 'stripe-webhook-secret'), shop.webhookSecret);
    shop.addEndpoint({ url: `http://127.0.0.1:${port}/hooks/stripe` });
    await writeFile(join(folder, 'smtp-url'), receiver.url);
    await run(mail);
    expect(receiver.mails.map(({ to }) => to)).to.deep.equal([['you@sketchpad.example']]);
    await serve(serveStripe, { ...secrets, ...mailSettings, STRIPE_API_BASE: shop.url });
    expect(await run(compare)).to.contain('Every active price is mapped.');

    const { subscription, session } = await shop.subscribe({ price: 'price_1', email: 'ada@example.com' });
    const page = await (await fetch(`http://127.0.0.1:${port}/claim?session_id=${session}`)).text();
    const [licenseKey = ''] = /LK(?:-\w{5}){6}/.exec(page) ?? [];
    expect(licenseKey).not.to.equal('');
    const mailed = await eventually(
      async () => receiver.mails[1],
      (last) => last !== undefined,
    );
    expect([mailed?.to, mailed?.parsed.text?.includes(licenseKey)]).to.deep.equal([['ada@example.com'], true]);
    await run(keys);
    expect(JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'))).to.have.property('keys');
    expect(JSON.parse(await run(trial))).to.have.nested.property('data.tierId', 'pro');
    const isValid = async (): Promise<unknown> =>
      (JSON.parse(await run(verify.replace('THE KEY', licenseKey))) as { valid: unknown }).valid;
    expect(await isValid()).to.equal(true);
    expect(await run(find.replace('THE KEY', licenseKey))).to.contain(subscription);

    await shop.refund(subscription);
    expect(await isValid()).to.equal(false);
    await run(revoke.replace('THE_ID', subscription));
    const statusAtStripe = async (): Promise<unknown> => shop.object(subscription)['status'];
    expect(await eventually(statusAtStripe, (status) => status === 'canceled')).to.equal('canceled');

    await run(backUp);
    expect(await readdir(join(folder, 'backups'))).to.have.length(1);
  });

  it('ends with the lines that docs/install.md has for a service of a checkout', async () => {
    const steps = await Promise.all(['docs/install.md', 'docs/first-sale.md'].map(unitSteps));
    const [install = [], sale = []] = steps;
    const own = install.filter((line) => !line.startsWith('cd ') && !line.startsWith('systemctl '));
    expect(own).to.have.length(6);
    expect(sale).to.include.members(own);
  });
});

/** The lines of the block that writes the units of systemd. */
async function unitSteps(path: string): Promise<readonly string[]> {
  const blocks = (await readMarkdown(path)).codeBlocks('console');
  return blocks.find((block) => block.includes('for unit in'))?.split('\n') ?? [];
}

async function isServing(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
