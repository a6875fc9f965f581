import type { AllowanceChange } from '../../../../core/entitlement/entitlement-command.ts';
import { maxDevices } from '../../../../core/entitlement/entitlement.ts';
import { ownLimitRule } from '../../../../core/entitlement/written-grant.ts';
import {
  featureChangeRule,
  featureNameRule,
  featureNamesRule,
  featureRule,
  featuresFrom,
  featuresRule,
  type FeatureChange,
  type Features,
} from '../../../../core/tier/features.ts';
import { command, type Command } from '../../declaration/command.ts';
import { optional, subject } from '../../declaration/member.ts';
import { enumOf } from '../../declaration/schema-parts.ts';
import { changeOf } from './entitlement-changes.ts';
import { snapshotOutcome } from './snapshot-view.ts';

const id = subject('<id>', 'the id of the entitlement');

const ownLimit = {
  ...optional('--device-limit <count>', `1 to ${maxDevices}, unlimited, or tier (default: as before)`, ownLimitRule),
  docs: `1 to ${maxDevices}, \`unlimited\`, or \`tier\` for the limit of its tier. Left out, it stays.`,
  schema: { anyOf: [{ type: 'integer', minimum: 1, maximum: maxDevices }, enumOf(['unlimited', 'tier'])] },
};

const allow = command({
  verb: 'allow',
  does: 'give an entitlement features and a limit of devices of its own',
  operation: null,
  members: {
    id,
    deviceLimit: ownLimit,
    features: {
      ...optional<Features>('--feature <name=value>', 'a feature of its own, repeatable', featuresRule),
      each: featureRule,
      gather: featuresFrom,
    },
    tierFeatures: {
      ...optional<readonly string[]>(
        '--tier-feature <name>',
        'a feature that is to be that of its tier, repeatable',
        featureNamesRule,
      ),
      each: featureNameRule,
    },
  },
  run: async ({ runEntitlementCommand }, { id: allowed, deviceLimit, features, tierFeatures }, call) => {
    const ofTier = Object.fromEntries((tierFeatures ?? []).map((name) => [name, null]));
    const change = allowanceChange(deviceLimit, { ...ofTier, ...features });
    return snapshotOutcome(await runEntitlementCommand(allowed, { kind: 'allow', ...change }, call));
  },
});

const allowOverHttp = command({
  verb: null,
  does: '',
  operation: {
    ...changeOf('allow', {
      id: 'allowDevices',
      summary: 'Change what an entitlement allows by values of its own.',
      description:
        'They outlive a change of tier. Members and features that are left out stay as they are, and null makes a feature that of the tier. A smaller limit takes no seat away. While more are used, no device gets one.',
      refusals: ['entitlement_ended', 'too_many_features', 'managed_by_stripe'],
    }),
    request: { schema: 'AllowanceRequest', example: { deviceLimit: 5, features: { sso: true, projects: null } } },
  },
  members: {
    id,
    deviceLimit: ownLimit,
    features: {
      ...optional(null, '', featureChangeRule),
      docs: 'Features of its own by name; null for that of its tier.',
    },
  },
  run: async ({ runEntitlementCommand }, { id: allowed, deviceLimit, features }, call) => {
    const change = allowanceChange(deviceLimit, features ?? {});
    return snapshotOutcome(await runEntitlementCommand(allowed, { kind: 'allow', ...change }, call));
  },
});

function allowanceChange(deviceLimit: number | 'unlimited' | 'tier' | null, features: FeatureChange): AllowanceChange {
  if (deviceLimit === null) return { features };
  return { deviceLimit: deviceLimit === 'tier' ? null : deviceLimit, features };
}

/** The change of what an entitlement allows, on the command line and over HTTP. */
export const allowanceCommands: readonly Command[] = [allow, allowOverHttp];
