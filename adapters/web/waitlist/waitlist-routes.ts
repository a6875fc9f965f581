import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { waitlistRoles } from '../../../core/waitlist/sign-up.ts';
import type { Layout } from '../markup/layout.ts';
import { Content } from '../page/content.ts';
import {
  noStore,
  type PageAnswer,
  type PageError,
  type PageRequest,
  type PageRoute,
  type Refused,
} from '../page/page.ts';
import { isSameOrigin } from '../page/same-origin.ts';
import { joinedPage, waitlistFields, waitlistPage, type FormMistake } from './waitlist-page.ts';

/** Adds a sign-up from the members of a form. Refuses with `invalid_email` or, for the other members, `invalid_body`. */
export type JoinByForm = (members: Readonly<Record<string, string>>, call: Call) => Promise<void>;

export interface WaitlistSettings {
  readonly join: JoinByForm;
  readonly layout: Layout;
  readonly baseUrl: () => string;
  readonly refused: Refused;
  /** The `Cache-Control` of pages that never change. */
  readonly cacheControl: string;
  readonly contentPolicy: string;
}

/** The waitlist: the form at `/waitlist`, and `/waitlist/joined` after it was accepted. */
export function waitlistRoutes(settings: WaitlistSettings): readonly PageRoute[] {
  const { layout, cacheControl, contentPolicy } = settings;
  const blank = onDemand(() => formContent(layout, ''));
  const chosen = new Map(waitlistRoles.map((role) => [role as string, onDemand(() => formContent(layout, role))]));
  const form = ({ query }: PageRequest): Content =>
    (chosen.get(new URLSearchParams(query).get('role') ?? '') ?? blank)();
  const joined = onDemand(() => new Content('text/html', layout.render(joinedPage(layout))));
  const page = (choose: (request: PageRequest) => Content) => async (request: PageRequest) => ({
    ...(await choose(request).answer(request, cacheControl)),
    contentPolicy,
  });
  return [
    { id: 'showWaitlist', method: 'GET', path: '/waitlist', handle: page(form) },
    { id: 'showJoined', method: 'GET', path: '/waitlist/joined', handle: page(joined) },
    {
      id: 'joinByForm',
      method: 'POST',
      path: '/waitlist',
      handle: async (request) => ({ ...(await answerForm(request, settings)), contentPolicy }),
    },
  ];
}

/** The form with a role chosen, if one is given. */
function formContent(layout: Layout, role: string): Content {
  return new Content('text/html', layout.render(waitlistPage(layout, new URLSearchParams({ role }), null)));
}

async function answerForm(
  request: PageRequest,
  { join, layout, baseUrl, refused }: WaitlistSettings,
): Promise<PageAnswer> {
  const { form, call, header } = request;
  if (!isSameOrigin(header, baseUrl())) return refused('foreign_origin', request);
  const given = waitlistFields.map((name) => [name, (form.get(name) ?? '').trim()] as const);
  try {
    await join(Object.fromEntries(given.filter(([name, value]) => value !== '' || name === 'email')), call);
  } catch (cause) {
    const mistake = mistakeOf(cause);
    if (mistake === null) throw cause;
    return {
      status: 400,
      content: layout.render(waitlistPage(layout, form, mistake)),
      contentType: 'text/html; charset=utf-8',
      cacheControl: noStore,
      error: mistake.error,
    };
  }
  const location = layout.href('/waitlist/joined');
  return { status: 303, content: null, cacheControl: noStore, headers: ['Location', location] };
}

function mistakeOf(cause: unknown): (FormMistake & { readonly error: PageError }) | null {
  if (!(cause instanceof Refusal)) return null;
  const { code, details } = cause;
  if (code === 'invalid_email') {
    return { field: 'email', message: 'Enter a valid e-mail address, such as ada@example.com.', error: code };
  }
  const message = details.message ?? 'The form could not be read.';
  return String(code) === 'invalid_body'
    ? { field: message.split(' ', 1)[0] ?? '', message, error: 'invalid_body' }
    : null;
}

/** Makes a value when it is first needed, because the address of the service is known only then. */
function onDemand<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
