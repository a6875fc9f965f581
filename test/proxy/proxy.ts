import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fileOf } from '../../docs/generate/repository.ts';

/** The name in the files of deploy/proxy. */
export const host = 'licenses.example';

/** Where a proxy and the service behind it listen. */
export interface Ports {
  readonly tls: number;
  readonly plain: number;
  readonly upstream: number;
}

/** A proxy whose file is tried with the program itself. Only addresses, paths and the certificate are changed for it. */
export interface ProxyProgram {
  readonly name: string;
  readonly file: string;
  /** Prepares a folder, and returns the command. */
  readonly prepare: (folder: string, config: string, ports: Ports) => Promise<readonly string[]>;
  /** The certificate that clients trust, once the proxy runs. */
  readonly authority: (folder: string) => string;
}

const run = promisify(execFile);

/** Replaces each text, which must be there. */
function replaced(config: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`there is no ${from} in the file`);
    return result.replaceAll(from, to);
  }, config);
}

export const caddy: ProxyProgram = {
  name: 'Caddy',
  file: 'deploy/proxy/Caddyfile',
  prepare: async (folder, config, { tls, plain, upstream }) => {
    const own = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${plain}\n\thttps_port ${tls}\n\tservers {`;
    const changed = replaced(config, { '{\n\tservers {': own, '127.0.0.1:3000': `127.0.0.1:${upstream}` });
    await writeFile(join(folder, 'Caddyfile'), changed);
    return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
  authority: (folder) => join(folder, 'caddy/pki/authorities/local/root.crt'),
};

export const nginx: ProxyProgram = {
  name: 'nginx',
  file: 'deploy/proxy/nginx.conf',
  prepare: async (folder, config, { tls, plain, upstream }) => {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
    const changed = replaced(config, {
      'listen 80;': `listen 127.0.0.1:${plain};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${tls} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      [`/etc/letsencrypt/live/${host}`]: folder,
      '/var/log/nginx': folder,
      '/var/www/html': folder,
      'server 127.0.0.1:3000;': `server 127.0.0.1:${upstream};`,
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    );
    const main = `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${temporary.join('\n')}\n${changed}}\n`;
    await writeFile(join(folder, 'nginx.conf'), main);
    return ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
  },
  authority: (folder) => join(folder, 'fullchain.pem'),
};

export interface ProxyRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of the body, which are sent one after another. */
  readonly body?: readonly string[];
  /** The address of the client. */
  readonly from?: string;
  readonly agent?: RequestOptions['agent'];
}

export interface ProxyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A running proxy. */
export class RunningProxy {
  /** Everything that it has printed. */
  printed = '';
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #ports: Ports;
  readonly #program: ProxyProgram;

  private constructor(program: ProxyProgram, folder: string, child: ChildProcess, ports: Ports) {
    this.#program = program;
    this.#folder = folder;
    this.#child = child;
    this.#ports = ports;
    child.stdout?.on('data', (data) => void (this.printed += String(data)));
    child.stderr?.on('data', (data) => void (this.printed += String(data)));
  }

  static async start(program: ProxyProgram, ports: Ports): Promise<RunningProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-proxy-'));
    const [command = '', ...rest] = await program.prepare(folder, await readFile(fileOf(program.file), 'utf8'), ports);
    const child = spawn(command, rest, { env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
    return new RunningProxy(program, folder, child, ports);
  }

  /** Sends a request over TLS to the name of the file. */
  async send(path: string, options: ProxyRequest = {}): Promise<ProxyReply> {
    const ca = await readFile(this.#program.authority(this.#folder));
    return exchange(request({ ...this.#target(path, options), port: this.#ports.tls, servername: host, ca }), options);
  }

  async sendPlain(path: string, options: ProxyRequest = {}): Promise<ProxyReply> {
    return exchange(plainRequest({ ...this.#target(path, options), port: this.#ports.plain }), options);
  }

  #target(path: string, { method = 'GET', headers = {}, from, agent }: ProxyRequest): RequestOptions {
    return {
      host: '127.0.0.1',
      path,
      method,
      headers: { Host: host, ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
      ...(agent === undefined ? {} : { agent }),
    };
  }

  /** The output of the program, with that of its log files. */
  async log(): Promise<string> {
    const files = ['latchkey.log', 'error.log'].map((name) =>
      readFile(join(this.#folder, name), 'utf8').catch(() => ''),
    );
    return [this.printed, ...(await Promise.all(files))].join('\n');
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
    await rm(this.#folder, { recursive: true });
  }
}

async function exchange(sent: ReturnType<typeof request>, { body = [] }: ProxyRequest): Promise<ProxyReply> {
  const answered = once(sent, 'response');
  for (const [index, part] of body.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    sent.write(part);
  }
  sent.end();
  const [response] = (await answered) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
