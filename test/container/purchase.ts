import type { ComposeProject } from './compose-project.ts';

const json = { 'Content-Type': 'application/json' };

/** The keys that a merchant has after the first sale. */
export interface Purchase {
  readonly licenseKey: string;
  readonly appKey: string;
}

/** Sells a subscription by the commands of a container: adds a product, issues its app key, and grants `ent_1`. */
export async function purchase(project: ComposeProject, service: string): Promise<Purchase> {
  await project.command(service, 'product add --id sketchpad --name Sketchpad');
  const { key } = await project.command(service, 'key issue --product sketchpad');
  const grant = 'entitlement grant --id ent_1 --product sketchpad --tier pro --tier-name Pro --interval month';
  const { licenseKey } = await project.command(service, grant);
  return { licenseKey: String(licenseKey), appKey: String(key) };
}

/** Verifies a license over HTTP. Returns the status, and the verdict. */
export async function verify({ url }: ComposeProject, { licenseKey }: Purchase): Promise<readonly [number, unknown]> {
  const body = JSON.stringify({ licenseKey });
  const response = await fetch(`${url}/api/licenses/verify`, { method: 'POST', headers: json, body });
  const { valid } = (await response.json()) as { readonly valid?: unknown };
  return [response.status, valid];
}

/** Cancels `ent_1` over HTTP, and returns when it ends. */
export async function cancel({ url }: ComposeProject, { appKey }: Purchase): Promise<unknown> {
  const headers = { ...json, Authorization: `Bearer ${appKey}`, 'Idempotency-Key': 'one-cancellation' };
  const response = await fetch(`${url}/api/app-entitlements/ent_1/cancel`, { method: 'POST', headers });
  const { data } = (await response.json()) as { readonly data?: { readonly cancelAt?: unknown } };
  return data?.cancelAt;
}

/** Reads over HTTP when `ent_1` ends. */
export async function cancelAt({ url }: ComposeProject, { appKey }: Purchase): Promise<unknown> {
  const headers = { Authorization: `Bearer ${appKey}` };
  const response = await fetch(`${url}/api/app-entitlements/ent_1`, { headers });
  const { data } = (await response.json()) as { readonly data?: { readonly cancelAt?: unknown } };
  return data?.cancelAt;
}
