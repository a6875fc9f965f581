import { identifierRule } from '../../../core/identifier.ts';
import { day } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import type { ChangedTrial } from '../../../core/trial/manage-trials.ts';
import { maxTrial, type ShownTrial } from '../../../core/trial/trial.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { optional, required, subject } from '../declaration/member.ts';
import {
  described,
  enumOf,
  instant,
  nullableInstant,
  nullableText,
  objectOf,
  text,
} from '../declaration/schema-parts.ts';

const id = subject('<trial>', 'the id of the trial, as the app and the list show it');
const productId = { ...required('--product <id>', 'the product', identifierRule), inPath: 'id' };

const endsAt = {
  ...required('--ends-at <instant>', `when it ends, at most ${maxTrial / day} days from now`, instantRule),
  label: 'New end, in UTC',
  hint: `At most ${maxTrial / day} days from now.`,
};

/** The members of a trial as a form has them. */
export const trialForm = { endsAt };

function trialView({
  id: trial,
  productId: of,
  tierId,
  status,
  startedAt,
  endsAt: end,
  converted,
}: ShownTrial): object {
  const facts = { id: trial, productId: of, tierId, status, startedAt, endsAt: end };
  return { ...facts, convertedAt: converted?.at ?? null, entitlementId: converted?.entitlementId ?? null };
}

function logged({ trial, changed }: ChangedTrial): Readonly<Record<string, string>> | null {
  const { id: trialId, productId: of, endsAt: end } = trial;
  return changed ? { trialId, productId: of, endsAt: end.toISOString() } : null;
}

/** The commands about the trials that apps have started for their devices. */
export const trialCommands: CommandGroup = {
  name: 'trial',
  tag: { name: 'Trials', description: 'The trials that apps have started for their devices.' },
  schemas: {
    Trial: objectOf({
      id: text,
      productId: text,
      tierId: described('The tier that the device may try.', text),
      status: described(
        '`converted`: the device has taken a seat of a license of the product.',
        enumOf(['running', 'ended', 'converted']),
      ),
      startedAt: instant,
      endsAt: instant,
      convertedAt: nullableInstant,
      entitlementId: described('The first entitlement that the device has taken a seat of.', nullableText),
    }),
  },
  commands: [
    list({
      does: 'list the trials of a product, the newest first',
      operation: {
        id: 'listTrials',
        route: 'GET /admin/products/:id/trials',
        access: 'admin:read',
        summary: 'List the trials of a product.',
        description: 'The newest first.',
        answer: { schema: 'TrialPage', description: 'A page of trials.' },
        refusals: ['product_not_found'],
      },
      members: {
        productId,
        entitlementId: optional('--entitlement <id>', 'only those that became this entitlement', identifierRule),
      },
      page: ({ listTrials }, filter, page, call) => listTrials(filter, page, call),
      every: ({ everyTrial }, filter, newCall) => everyTrial(filter, newCall),
      view: trialView,
      columns: ['id', 'tierId', 'status', 'startedAt', 'endsAt', 'entitlementId'],
    }),
    command({
      verb: 'show',
      does: 'show a trial',
      operation: {
        id: 'showTrial',
        route: 'GET /admin/trials/:id',
        access: 'admin:read',
        summary: 'Read a trial.',
        description: 'As it is now.',
        answer: { schema: 'TrialAnswer', description: 'The trial.' },
        refusals: ['trial_not_found'],
      },
      members: { id },
      run: async ({ showTrial }, values, call) => ({ data: trialView(await showTrial(values.id, call)) }),
    }),
    command({
      verb: 'extend',
      does: 'let a trial end at another instant, whether it has ended or not',
      operation: {
        id: 'extendTrial',
        route: 'POST /admin/trials/:id/extend',
        access: 'admin:entitlements',
        summary: 'Let a trial end at another instant.',
        description:
          'Whether it has ended or not; the app learns of it when it asks. The same instant again changes nothing. Fractions of a second are cut.',
        request: { schema: 'TrialExtensionRequest', example: { endsAt: '2026-08-15T00:00:00Z' } },
        answer: { schema: 'TrialAnswer', description: 'The trial.' },
        refusals: ['trial_not_found', 'trial_too_long', 'changed_meanwhile'],
      },
      members: {
        id,
        endsAt,
      },
      log: { extendTrial: logged },
      run: async ({ extendTrial }, { id: extended, endsAt: end }, call) => ({
        data: trialView((await extendTrial(extended, end, call)).trial),
      }),
    }),
    command({
      verb: 'end',
      does: 'end a trial now; without a network, an app goes on until its receipt ends',
      operation: {
        id: 'endTrial',
        route: 'POST /admin/trials/:id/end',
        access: 'admin:entitlements',
        summary: 'End a trial now.',
        description: 'One that has ended stays as it is. Without a network, an app goes on until its receipt ends.',
        answer: { schema: 'TrialAnswer', description: 'The trial.' },
        refusals: ['trial_not_found', 'changed_meanwhile'],
      },
      members: { id },
      log: { endTrial: logged },
      run: async ({ endTrial }, values, call) => ({ data: trialView((await endTrial(values.id, call)).trial) }),
    }),
  ],
};
