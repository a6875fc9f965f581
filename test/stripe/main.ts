// Sends every request of Latchkey to stripe-mock, and compares the objects of the fake with the description of the API.
import { readFileSync } from 'node:fs';
import { callsInSources, missingRoutes, routeOf } from './calls.ts';
import { membersOutside, type Description } from './description.ts';
import { runEverything } from './everything.ts';
import { StripeMock } from './stripe-mock.ts';

const [program = '', description = ''] = process.argv.slice(2);
const { requests, objects } = await runEverything();
const problems: string[] = [];

const routes = new Set(requests.map((request) => routeOf(request)));
problems.push(...missingRoutes(callsInSources(), routes).map((call) => `no request was seen of ${call}`));

const mock = await StripeMock.start(program);
try {
  const distinct = new Map(requests.map((request) => [`${routeOf(request)} ${request.parameters}`, request]));
  for (const request of distinct.values()) {
    const { status, body } = await mock.answer(request);
    if (status >= 400)
      problems.push(`${routeOf(request)} ${decodeURIComponent(request.parameters)}: ${status} ${body}`);
  }
  process.stdout.write(`stripe-mock judged ${distinct.size} requests to ${routes.size} endpoints\n`);
} finally {
  await mock.stop();
}

const described = JSON.parse(readFileSync(description, 'utf8')) as Description;
const unknown = new Set(objects.flatMap((object) => membersOutside(described, object)));
problems.push(...[...unknown].map((member) => `Stripe has no ${member}`));
process.stdout.write(
  `compared ${objects.length} objects of fakeStripe with the description of ${described.info.version}\n`,
);

for (const problem of problems) process.stdout.write(`NOT AS EXPECTED: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
