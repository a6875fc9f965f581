import type { Call } from '../../../../core/call.ts';
import type { Mistake } from '../../../../core/parsing/read-members.ts';
import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import type { PageContent } from '../display/view.ts';
import type { Field, FormState, Mistakes } from '../form/fields.ts';
import { proposed, readForm, refusedField, typedIn, type Rules, type ValuesOf } from '../form/form-reading.ts';
import { isStale } from '../form/seen.ts';
import { changedSince, type SeenThing } from './changed-meanwhile.ts';
import { shown, wrongForm, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from './console-page.ts';

/** What is done in two steps at one path: a page asks, and its form is answered. */
export interface TwoSteps extends Pick<ConsoleRoute, 'path' | 'access' | 'bodyLimit'> {
  /** A verb and a noun, which name both steps in logs and metrics: "RevokeAppKey". */
  readonly name: string;
  readonly ask: ConsoleRoute['handle'];
  readonly answer: ConsoleRoute['handle'];
}

export function twoSteps({ name, ask, answer, ...route }: TwoSteps): readonly ConsoleRoute[] {
  return [
    { ...route, id: `console${name}Form`, method: 'GET', handle: ask },
    { ...route, id: `console${name}`, method: 'POST', handle: answer },
  ];
}

/** A form, and what it changes. `Subject` is what it is about. */
export interface FormSteps<Subject, Own extends Rules, Required extends keyof Own & string> extends Pick<
  TwoSteps,
  'name' | 'path' | 'access'
> {
  /** Refuses a subject that does not exist. */
  readonly find: (request: ConsoleRequest) => Promise<Subject>;
  /** A form whose subject is refused with this code was sent before, and is answered so. */
  readonly gone?: { readonly code: RefusalCode; readonly answer: ConsoleAnswer } | undefined;
  readonly page: (request: ConsoleRequest, subject: Subject, state: FormState) => PageContent;
  /** The values that the form proposes. */
  readonly proposes?: (subject: Subject) => Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly rules: Own;
  readonly required: readonly Required[];
  /** What `act` refuses because of a field. */
  readonly refusals?: Readonly<Partial<Record<RefusalCode, Mistake>>>;
  /** Absent for a form about nothing that can change. */
  readonly seen?: (subject: Subject, call: Call) => SeenThing;
  /** Whether there is already what the form asks for, whatever it has shown. */
  readonly isDone?: (values: ValuesOf<Own, Required>, subject: Subject, call: Call) => boolean | Promise<boolean>;
  readonly act: (values: ValuesOf<Own, Required>, subject: Subject, request: ConsoleRequest) => Promise<ConsoleAnswer>;
}

/** A form without fields: a change that needs nothing but a decision. */
export const noFields = { fields: [], rules: {}, required: [] } as const;

/** The page of a form, and its answer: that of `act`, the form with what is wrong, or what has changed since it was shown. */
export function formRoutes<Subject, Own extends Rules, Required extends keyof Own & string>(
  steps: FormSteps<Subject, Own, Required>,
): readonly ConsoleRoute[] {
  const { name, path, access, find, gone, page, proposes = () => ({}) } = steps;
  return twoSteps({
    name,
    path,
    access,
    ask: async (request) => {
      const subject = await find(request);
      return shown(page(request, subject, proposed(proposes(subject))));
    },
    answer: (request) =>
      answerForm(steps, request).catch((cause: unknown) => {
        if (gone === undefined || !isRefusal(cause, gone.code)) throw cause;
        return gone.answer;
      }),
  });
}

async function answerForm<Subject, Own extends Rules, Required extends keyof Own & string>(
  { find, page, fields, rules, required, refusals = {}, seen, isDone, act }: FormSteps<Subject, Own, Required>,
  request: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { call, form } = request;
  const stale = (thing: SeenThing): ConsoleAnswer => changedSince(form, thing, call);
  const subject = await find(request);
  const again = (mistakes: Mistakes): ConsoleAnswer => wrongForm(page(request, subject, typedIn(form, mistakes)));
  const reading = readForm(fields, rules, required, form);
  const thing = seen?.(subject, call);
  if (thing !== undefined && isStale(form, thing.now)) {
    const isRepeated = reading.kind === 'read' && (await isDone?.(reading.values, subject, call)) === true;
    if (!isRepeated) return stale(thing);
  }
  if (reading.kind === 'wrong') return again(reading.mistakes);
  try {
    return await act(reading.values, subject, request);
  } catch (cause) {
    if (seen !== undefined && isRefusal(cause, 'changed_meanwhile')) return stale(seen(await find(request), call));
    return again(refusedField(cause, refusals, fields));
  }
}

export function isRefusal(cause: unknown, code: RefusalCode): boolean {
  return cause instanceof Refusal && cause.code === code;
}
