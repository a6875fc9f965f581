import type { Command } from 'commander';
import type { EventType } from '../../../../core/entitlement/event/event-type.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import {
  eventTypesRule,
  shownEndpoint,
  webhookUrlRule,
  type ShownEndpoint,
} from '../../../../core/webhook/webhook-endpoint.ts';
import { requiredOption, valueOption } from '../../input/options.ts';
import { details, table } from '../../output/table.ts';
import { changeCommand } from '../../run/change-command.ts';
import { runCommand } from '../../run/run-command.ts';
import type { Shell } from '../../shell/shell.ts';
import { addSendingCommands } from './sending-commands.ts';
import { endpointResult, members, secretResult, streamMembers, streamViewOf, webhookById } from './webhook-result.ts';

interface AddOptions {
  readonly id?: string;
  readonly url: string;
  readonly product?: string;
  readonly types?: readonly EventType[];
}

export function addWebhookCommands(group: Command, shell: Shell): void {
  addAdd(group, shell);
  addList(group, shell);
  addShow(group, shell);
  addRotate(group, shell);
  addState(group, shell);
  addSendingCommands(group, shell);
  addDelete(group, shell);
}

function addAdd(group: Command, shell: Shell): void {
  const command = group
    .command('add')
    .description('add an endpoint, whose secret is shown only once')
    .addOption(requiredOption('--url <url>', 'the URL that events are delivered to', webhookUrlRule))
    .addOption(valueOption('--product <id>', 'only events of this product (default: all)', identifierRule))
    .addOption(
      valueOption('--types <types>', 'only events of these types, comma-separated (default: all)', eventTypesRule),
    )
    .addOption(valueOption('--id <id>', 'the id of the endpoint, so that a repeat adds no other', identifierRule));
  changeCommand<AddOptions>(command, shell, {
    subject: null,
    request:
      (_subject, { id = null, url, product = null, types = null }, call) =>
      async (store) => {
        const { endpoint, secret } = await store.addWebhook({ id, url, productId: product, types }, call);
        return secretResult(endpoint.id, secret);
      },
  });
}

function addList(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list endpoints, without their secrets')
    .action((_options: object, command: Command) =>
      runCommand(shell, command, shell.newCall(), async (store) => {
        const items = (await Array.fromAsync(store.everyWebhook(shell.newCall))).map(shownEndpoint);
        return { json: { items }, text: (width) => table<ShownEndpoint>(items, members, width, ['url']) };
      }),
    );
}

function addShow(group: Command, shell: Shell): void {
  changeCommand(group.command('show').description('show an endpoint and the state of its deliveries'), shell, {
    subject: webhookById,
    request: (id, _options, call) => async (store) => {
      const { endpoint, streams } = await store.showWebhook(id, call);
      const view = shownEndpoint(endpoint);
      const deliveries = streams.map(streamViewOf);
      return {
        json: { value: { ...view, deliveries } },
        text: async (width) => `${details(view, members)}\n${await table(deliveries, streamMembers, width)}`,
      };
    },
  });
}

function addRotate(group: Command, shell: Shell): void {
  const command = group
    .command('rotate-secret')
    .description('give an endpoint a new secret, which is shown only once')
    .addOption(
      valueOption('--overlap <duration>', 'how long the old secret signs too', durationRule).default(
        defaultOverlap,
        '24h',
      ),
    );
  changeCommand<{ readonly overlap: number }>(command, shell, {
    subject: webhookById,
    request:
      (id, { overlap }, call) =>
      async (store) => {
        const { secret } = await store.rotateWebhookSecret({ id, overlap, revision: null }, call);
        return secretResult(id, secret);
      },
  });
}

function addState(group: Command, shell: Shell): void {
  changeCommand(
    group.command('enable').description('resume deliveries to an endpoint, from the first event that it missed'),
    shell,
    {
      subject: webhookById,
      request: (id, _options, call) => async (store) => endpointResult(await store.enableWebhook(id, call)),
    },
  );
  changeCommand(group.command('disable').description('stop deliveries to an endpoint; its events are kept'), shell, {
    subject: webhookById,
    request: (id, _options, call) => async (store) => endpointResult(await store.disableWebhook(id, 'requested', call)),
  });
}

function addDelete(group: Command, shell: Shell): void {
  changeCommand(group.command('delete').description('delete an endpoint for good'), shell, {
    subject: webhookById,
    request: (id, _options, call) => async (store) => {
      const deleted = await store.deleteWebhook(id, call);
      return {
        json: { value: { deleted: deleted ? 1 : 0 } },
        text: () => (deleted ? 'Deleted.\n' : 'There is no such endpoint.\n'),
      };
    },
  });
}
