import type { Call } from '../../../../core/call.ts';
import type { OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import type { RefusalCode } from '../../../../core/refusal.ts';
import type { Html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import type { Crumb } from '../display/parts.ts';
import { seenField, type Seen } from '../form/seen.ts';
import { goTo, type ConsoleRequest, type ConsoleRoute } from './console-page.ts';
import { comparedBy, ownFormRoutes } from './form-routes.ts';
import { pathIn } from './id-segment.ts';

/** The subject of decisions: a listing, an endpoint, a key. */
export interface DecidedOn<Subject> {
  /** "listing" */
  readonly noun: string;
  /** Ends the names of its routes: "Listing". */
  readonly kind: string;
  readonly access: OperatorScope;
  /** The maximum size of the form, which carries the values that were seen, in bytes; absent for 16 KiB. */
  readonly bodyLimit?: number;
  /** The pattern of the page of a decision. */
  readonly path: (decision: string) => string;
  /** Refuses a subject that does not exist. */
  readonly find: (request: ConsoleRequest) => Promise<Subject>;
  readonly crumbs: (subject: Subject) => readonly Crumb[];
  readonly facts: (subject: Subject) => readonly (readonly [name: string, value: Html | string])[];
  /** The values that its page has shown. */
  readonly seen: (subject: Subject, now: Date) => Seen;
  /** "pause quiet-editor." */
  readonly intent: (subject: Subject, verb: string) => Html;
  readonly back: (subject: Subject) => string;
}

/** A change that needs nothing but a decision. */
export interface Decision<Subject> {
  /** The last part of its path, and the name of the text on the page that follows. */
  readonly name: string;
  readonly done?: string;
  readonly verb: string;
  /** "Publish this listing?" if absent. */
  readonly question?: string;
  /** "Publish listing" if absent. */
  readonly button?: string;
  readonly isFinal?: boolean;
  readonly heading: string;
  readonly effects: (subject: Subject, request: ConsoleRequest) => readonly Html[];
  /** The subject of the decision, beside the question. */
  readonly beside?: (subject: Subject) => Html;
  readonly milder?: (subject: Subject, now: Date) => Html | null;
  /** Whether there is nothing left to do. */
  readonly isDone?: (subject: Subject) => boolean;
  /** With this refusal, a form was sent before, and is answered so. */
  readonly gone?: RefusalCode;
  readonly run: (subject: Subject, call: Call) => Promise<unknown>;
  /** The page of the subject if absent. */
  readonly goesTo?: string;
}

/** A page for each decision that asks, and the change. */
export function decisionRoutes<Subject>(
  on: DecidedOn<Subject>,
  decisions: readonly Decision<Subject>[],
): readonly ConsoleRoute[] {
  return decisions.flatMap((decision) => routesOf(on, decision));
}

function routesOf<Subject>(on: DecidedOn<Subject>, decision: Decision<Subject>): readonly ConsoleRoute[] {
  const { noun, bodyLimit, seen, back } = on;
  const {
    name,
    done = name,
    verb,
    isFinal = false,
    milder = () => null,
    isDone = () => false,
    gone,
    run,
    goesTo,
  } = decision;
  return ownFormRoutes({
    name: `${verb}${on.kind}`,
    path: on.path(name),
    access: on.access,
    ...(bodyLimit !== undefined && { bodyLimit }),
    find: on.find,
    gone: gone === undefined ? undefined : { code: gone, answer: goTo(goesTo ?? '', done) },
    page: (request, subject) => {
      const { view } = request;
      return confirmationPage(view, {
        path: on.crumbs(subject),
        here: verb,
        question: decision.question ?? `${verb} this ${noun}?`,
        effects: { heading: decision.heading, isFinal, list: decision.effects(subject, request) },
        facts: on.facts(subject),
        milder: milder(subject, view.now),
        beside: decision.beside?.(subject) ?? null,
        action: pathIn(on.path(name), request.parameters),
        fields: seenField(seen(subject, view.now)),
        button: decision.button ?? `${verb} ${noun}`,
        back: { href: back(subject), text: 'Keep it' },
      });
    },
    fields: () => [],
    read: () => ({ kind: 'read', values: {} }),
    compared: comparedBy((subject: Subject, { now }) => ({
      now: seen(subject, now),
      intent: on.intent(subject, verb.toLowerCase()),
      back: back(subject),
    })),
    isDone: (_values, subject) => isDone(subject),
    act: async (_values, subject, { call }) => {
      await run(subject, call);
      return goTo(goesTo ?? back(subject), done);
    },
  });
}
