import { setTimeout as pause } from 'node:timers/promises';
import { range } from '../../range.ts';

const apps = 3;
const ways = ['activate', 'deactivate'] as const;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

/** Milliseconds between two devices. */
const interval = 20;

/** Apps that take a seat of a license for one new device after another, and release every second one. */
export class DeviceTraffic {
  /** Whether each device has a seat, by what was acknowledged last. */
  readonly seats = new Map<string, boolean>();
  readonly #licenseKey: string;
  /** The servers that run now. Each request goes to the next of them. */
  readonly #urls: () => readonly string[];
  /** Resolves when no server is starting, which needs the processor. */
  readonly #started: () => Promise<unknown>;
  readonly #stop = new AbortController();

  constructor(licenseKey: string, urls: () => readonly string[], started: () => Promise<unknown>) {
    this.#licenseKey = licenseKey;
    this.#urls = urls;
    this.#started = started;
  }

  /** Resolves when it has been stopped, and the outcome of every request is known. */
  async run(): Promise<void> {
    await Promise.all(range(apps).map((app) => this.#runApp(app)));
  }

  /** Resolves when `devices` more devices had a seat. */
  async progress(devices: number): Promise<void> {
    const goal = this.seats.size + devices;
    while (this.seats.size < goal) await pause(5);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #runApp(app: number): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const deviceId = `desktop-${app}-${turn}`;
      for (const way of ways.slice(0, 1 + (turn % 2))) {
        for (let server = turn; !(await this.#isDone(way, deviceId, server)); server += 1) await pause(retryInterval);
        this.seats.set(deviceId, way === 'activate');
      }
      await pause(interval);
      await this.#started();
    }
  }

  async #isDone(way: string, deviceId: string, server: number): Promise<boolean> {
    const urls = this.#urls();
    try {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ licenseKey: this.#licenseKey, deviceId });
      const url = `${urls[server % urls.length]}/api/licenses/${way}`;
      return (await fetch(url, { method: 'POST', headers, body })).status === 200;
    } catch {
      return false;
    }
  }
}
