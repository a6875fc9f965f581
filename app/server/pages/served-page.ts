import type { Answer } from '../../../adapters/http/answer.ts';
import type { Operation, OperationRequest } from '../../../adapters/http/operations/operation.ts';
import type { ConsolePageAnswer } from '../../../adapters/web/console/frame/page-answer.ts';
import type { PageAnswer, PageRequest } from '../../../adapters/web/page/page.ts';

/** The members that the operations of pages have in common. */
export const ofPages = { crossOrigin: false, errors: 'page', docs: null } as const;

/** The content that a page takes from its requests. */
export function bodyOf(method: 'GET' | 'POST'): Operation['body'] {
  return method === 'POST' ? 'form' : 'ignored';
}

export function pageRequest({ call, parameters, query, body, header }: OperationRequest): PageRequest {
  return {
    call,
    parameters,
    query,
    form: body instanceof URLSearchParams ? body : new URLSearchParams(),
    header: (name) => header(name).join(', '),
  };
}

/** Forms come from pages of the same service: the referrer may be sent there, because it makes `Origin` truthful. */
const referrerPolicy = 'same-origin';

/** The page of a refusal, whose status and code the transport knows. */
export function refusalOf({
  content,
  error: _error,
  ...page
}: Omit<PageAnswer | ConsolePageAnswer, 'status'>): Omit<Answer, 'status' | 'errorCode'> {
  return { ...page, body: content, referrerPolicy };
}

/** The answer of a page as the transport sends it. */
export function answerOf({ content, error, ...answer }: PageAnswer | ConsolePageAnswer): Answer {
  const page = { ...answer, body: content, referrerPolicy };
  return error === undefined ? page : withFields({ ...page, errorCode: error }, ['Error-Code', error]);
}

export function withFields(answer: Answer, fields: readonly string[]): Answer {
  return { ...answer, headers: [...(answer.headers ?? []), ...fields] };
}
