import type { Call } from '../../../../core/call.ts';
import type { Mistake } from '../../../../core/parsing/read-members.ts';
import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import { html, type Html } from '../../markup/html.ts';
import type { Crumb } from '../display/parts.ts';
import type { PageContent } from '../display/view.ts';
import { fieldList, type Field, type FormState, type Mistakes, type Typed } from '../form/fields.ts';
import { fieldsOf, readMembersOf, type FormMembers, type FormValues } from '../form/form-members.ts';
import { formPage, type FormPage } from '../form/form-page.ts';
import { proposed, refusedField, typedIn, type FormReading } from '../form/form-reading.ts';
import { isStale, seenField } from '../form/seen.ts';
import { changedSince, type SeenThing } from './changed-meanwhile.ts';
import { shown, wrongForm, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from './console-page.ts';
import { pathIn } from './id-segment.ts';

/** A form in two steps at one path: a page asks, and its form is answered. */
export interface TwoSteps extends Pick<ConsoleRoute, 'path' | 'access' | 'accessOf' | 'bodyLimit' | 'extraTime'> {
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

/** The mistakes in fields for which a use case refuses. */
export type RefusedMembers = Readonly<Partial<Record<RefusalCode, Mistake>>>;

/** Compares the values that a form has shown with the current ones. */
export interface Comparison<Subject, Values> {
  readonly isStale: (form: URLSearchParams, subject: Subject, call: Call) => boolean;
  /** Shows what has changed. `values` is null if the fields are wrong, too. */
  readonly answer: (
    request: ConsoleRequest,
    subject: Subject,
    values: Values | null,
  ) => ConsoleAnswer | Promise<ConsoleAnswer>;
}

/** A form, and its change. `Subject` is the object that it changes, and `Values` are its values. */
interface Steps<Subject, Values> extends Pick<TwoSteps, 'name' | 'path' | 'access' | 'bodyLimit' | 'extraTime'> {
  /** Refuses a subject that does not exist. */
  readonly find: (request: ConsoleRequest) => Promise<Subject>;
  /** A form whose subject is refused with this code was sent before, and is answered so. */
  readonly gone?: { readonly code: RefusalCode; readonly answer: ConsoleAnswer } | undefined;
  readonly page: (request: ConsoleRequest, subject: Subject, state: FormState) => PageContent | Promise<PageContent>;
  /**
   * Whether a page leads to it by a form, with `step=ask` and values that it proposes, such as an address, which no
   * address of a page has.
   */
  readonly isLedTo?: boolean;
  /** The values that the form proposes. */
  readonly proposes?: (subject: Subject) => Readonly<Record<string, string>>;
  /** Whether the requested state is already there, whatever the form has shown. */
  readonly isDone?: (values: Values, subject: Subject, call: Call) => boolean | Promise<boolean>;
  readonly act: (values: Values, subject: Subject, request: ConsoleRequest) => Promise<ConsoleAnswer>;
}

/** A form that reads its own fields. */
export interface OwnFormSteps<Subject, Values> extends Steps<Subject, Values> {
  /** Answers before anything was typed; `page` with the proposed values if absent. */
  readonly ask?: ConsoleRoute['handle'];
  readonly fields: (subject: Subject) => readonly Field[];
  readonly read: (form: URLSearchParams, subject: Subject, call: Call) => FormReading<Values>;
  readonly refusals?: (cause: unknown) => RefusedMembers;
  /** Absent for a form about nothing that can change. */
  readonly compared?: Comparison<Subject, Values> | undefined;
}

/** The page of a form, apart from what its steps say. */
export interface AskedForm extends Omit<FormPage, 'action' | 'fields' | 'back'>, Pick<FormState, 'remarks'> {
  /** The subject of the form, above its fields. */
  readonly above?: Html;
  /** The members where they depend on the subject or on who asks. They have the rules of those of the steps. */
  readonly members?: FormMembers;
}

/** A form whose fields have a rule each. */
export interface FormSteps<Subject, Own extends FormMembers> extends Omit<Steps<Subject, FormValues<Own>>, 'page'> {
  readonly asks: (subject: Subject, request: ConsoleRequest, typed: Typed) => AskedForm | Promise<AskedForm>;
  /** The page that it leads back to. */
  readonly back: (subject: Subject) => Crumb;
  readonly members: Own;
  readonly refusals?: RefusedMembers;
  /** Absent for a form about nothing that can change. */
  readonly seen?: (subject: Subject, call: Call) => Omit<SeenThing, 'back'>;
}

/** The page of a form, and its answer: that of `act`, the form with the mistakes, or the changes since it was shown. */
export function formRoutes<Subject, Own extends FormMembers>({
  asks,
  back,
  members,
  refusals = {},
  seen,
  ...steps
}: FormSteps<Subject, Own>): readonly ConsoleRoute[] {
  return ownFormRoutes<Subject, FormValues<Own>>({
    ...steps,
    page: async (request, subject, state) => {
      const { above = null, members: asked = members, remarks, ...page } = await asks(subject, request, state.typed);
      const shownBefore = seen === undefined ? null : seenField(seen(subject, request.call).now);
      const fields = fieldList(fieldsOf(asked), { ...state, ...(remarks && { remarks }) });
      return formPage(request.view, {
        ...page,
        action: pathIn(steps.path, request.parameters),
        fields: html`${above}${shownBefore}${fields}`,
        back: back(subject),
      });
    },
    fields: () => fieldsOf(members),
    read: (form) => readMembersOf(members, form),
    refusals: () => refusals,
    compared: seen && comparedBy((subject, call) => ({ ...seen(subject, call), back: back(subject).href })),
  });
}

/** The comparison of a subject without a version. */
export function comparedBy<Subject>(seen: (subject: Subject, call: Call) => SeenThing): Comparison<Subject, unknown> {
  return {
    isStale: (form, subject, call) => isStale(form, seen(subject, call).now),
    answer: ({ form, call }, subject) => changedSince(form, seen(subject, call), call),
  };
}

/** The same for a form that reads its own fields. */
export function ownFormRoutes<Subject, Values>(steps: OwnFormSteps<Subject, Values>): readonly ConsoleRoute[] {
  const { name, path, access, bodyLimit, extraTime, find, gone, page, isLedTo = false, proposes = () => ({}) } = steps;
  const ask: ConsoleRoute['handle'] = async (request) => {
    const subject = await find(request);
    const values = { ...proposes(subject), ...Object.fromEntries(request.form) };
    return shown(await page(request, subject, proposed(values)));
  };
  return twoSteps({
    name,
    path,
    access,
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(extraTime !== undefined && { extraTime }),
    ask: steps.ask ?? ask,
    answer: (request) =>
      isLedTo && request.form.get('step') === 'ask'
        ? ask(request)
        : answerForm(steps, request).catch((cause: unknown) => {
            if (gone === undefined || !isRefusal(cause, gone.code)) throw cause;
            return gone.answer;
          }),
  });
}

async function answerForm<Subject, Values>(
  { find, page, fields, read, refusals = () => ({}), compared, isDone, act }: OwnFormSteps<Subject, Values>,
  request: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { call, form } = request;
  const subject = await find(request);
  const again = async (mistakes: Mistakes): Promise<ConsoleAnswer> =>
    wrongForm(await page(request, subject, typedIn(form, mistakes)));
  const reading = read(form, subject, call);
  if (compared?.isStale(form, subject, call) === true) {
    const values = reading.kind === 'read' ? reading.values : null;
    const isRepeated = values !== null && (await isDone?.(values, subject, call)) === true;
    if (!isRepeated) return compared.answer(request, subject, values);
  }
  if (reading.kind === 'wrong') return again(reading.mistakes);
  const { values } = reading;
  try {
    return await act(values, subject, request);
  } catch (cause) {
    if (compared !== undefined && isRefusal(cause, 'changed_meanwhile')) {
      return compared.answer(request, await find(request), values);
    }
    return again(refusedField(cause, refusals(cause), fields(subject)));
  }
}

export function isRefusal(cause: unknown, code: RefusalCode): boolean {
  return cause instanceof Refusal && cause.code === code;
}
