import { once } from 'node:events';
import { expect } from 'chai';
import { AnswerBudget } from '../../../../adapters/http/content/answer-budget.ts';
import { eventually } from '../../../support/eventually.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { bearer, http } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';

const kilobyte = 1024;
const closed = /^connections are closed: their clients do not take the answers/;

/** Connects, sends requests at once, and reads nothing. Its system may take some of the answers all the same. */
async function askWithoutReading(url: string, requests: string): Promise<RawClient> {
  const client = new RawClient(url);
  await once(client.socket, 'connect');
  client.socket.pause();
  client.send(requests);
  return client;
}

function closings({ logged }: TestService): number {
  return logged.filter(({ message }) => closed.test(String(message))).length;
}

describe('clients that do not read', () => {
  const start = populatedServices();

  for (const [what, request, isOnAdminPort] of [
    ['documents', http('GET /openapi.json'), false],
    ['documents of the administration', http('GET /admin/openapi.json', [bearer(operatorKeys.full)]), true],
  ] as const) {
    it(`lose their connections beyond the budget of the process, and others get their answers: ${what}`, async () => {
      const answers = new AnswerBudget(160 * kilobyte);
      const service = await start({ answers, adminPort: 0, pages: 'on', rateLimits: 'off' });
      const url = (isOnAdminPort ? service.adminUrl : null) ?? service.url;
      const clients = await Promise.all(range(12).map(() => askWithoutReading(url, request.repeat(100))));
      try {
        expect(
          await eventually(
            async () => closings(service),
            (count) => count > 0,
          ),
        ).to.equal(1);
        expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
        const document = await fetch(`${service.url}/openapi.json`);
        expect(Object.keys((await document.json()) as object)).to.include('openapi');
      } finally {
        for (const client of clients) client.close();
      }
    });
  }

  it('have the requests that wait behind an answer counted with it', async () => {
    const document = http('GET /openapi.json');
    const service = await start({ answers: new AnswerBudget(3 * 1024 * kilobyte), rateLimits: 'off' });
    const clients = await Promise.all(range(12).map(() => askWithoutReading(service.url, document.repeat(90))));
    const reader = new RawClient(service.url);
    try {
      reader.send(document.repeat(40));
      for (const _ of range(40)) expect((await reader.read('GET')).status).to.equal(200);
      expect(
        await eventually(
          async () => closings(service),
          (count) => count > 0,
        ),
      ).to.equal(1);
    } finally {
      for (const client of [...clients, reader]) client.close();
    }
  });
});
