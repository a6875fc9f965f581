import type { Command } from 'commander';
import { identifierRule } from '../../../../core/identifier.ts';
import { feedCursorRule } from '../../../../core/webhook/redeliver-events.ts';
import { requiredOption, valueOption } from '../../input/options.ts';
import { details } from '../../output/table.ts';
import { changeCommand } from '../../run/change-command.ts';
import type { Shell } from '../../shell/shell.ts';
import { streamMembers, streamViewOf, webhookById } from './webhook-result.ts';

interface ReplayOptions {
  readonly product: string;
  readonly from: string;
}

interface SkipOptions {
  readonly product: string;
  readonly to: string;
  readonly entitlement?: string;
}

/** Adds the commands that decide what is sent. */
export function addSendingCommands(group: Command, shell: Shell): void {
  addTest(group, shell);
  addRetry(group, shell);
  addReplay(group, shell);
  addSkip(group, shell);
}

function addTest(group: Command, shell: Shell): void {
  changeCommand(group.command('test').description('send a test message to an endpoint'), shell, {
    subject: webhookById,
    request: (id, _options, call) => async (store) => {
      const { kind, answer } = await store.testWebhook(id, call);
      const delivered = kind === 'delivered';
      return {
        json: { value: { delivered, answer } },
        text: () => `${delivered ? 'Delivered' : 'Not delivered'}: ${answer}.\n`,
      };
    },
  });
}

function addRetry(group: Command, shell: Shell): void {
  changeCommand(group.command('retry').description('send all failed events again, including parked ones'), shell, {
    subject: webhookById,
    request: (id, _options, call) => async (store) => {
      const events = await store.retryWebhook(id, call);
      return {
        json: { value: { events } },
        text: () => `${events} due now.\n`,
      };
    },
  });
}

function addReplay(group: Command, shell: Shell): void {
  const command = group
    .command('replay')
    .description('send the events of a product again')
    .addOption(requiredOption('--product <id>', 'the product', identifierRule))
    .addOption(
      requiredOption('--from <cursor>', 'a cursor of the feed, after which the events are sent', feedCursorRule),
    );
  changeCommand<ReplayOptions>(command, shell, {
    subject: webhookById,
    request:
      (id, { product, from }, call) =>
      async (store) => {
        const stream = streamViewOf(await store.replayWebhook({ id, productId: product, from }, call));
        return { json: { value: stream }, text: () => details(stream, streamMembers) };
      },
  });
}

function addSkip(group: Command, shell: Shell): void {
  const command = group
    .command('skip')
    .description('skip events of a product that an endpoint has not received')
    .addOption(requiredOption('--product <id>', 'the product', identifierRule))
    .addOption(requiredOption('--to <cursor>', 'the cursor of the feed up to which events are skipped', feedCursorRule))
    .addOption(valueOption('--entitlement <id>', 'only the events of this entitlement (default: all)', identifierRule));
  changeCommand<SkipOptions>(command, shell, {
    subject: webhookById,
    request:
      (id, { product, to, entitlement = null }, call) =>
      async (store) => {
        const skip = { id, productId: product, to, entitlementId: entitlement };
        const { stream } = await store.skipWebhookEvents(skip, call);
        const view = streamViewOf(stream);
        return {
          json: { value: view },
          text: () => details(view, streamMembers),
        };
      },
  });
}
