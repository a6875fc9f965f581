import { waitlistRoles, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import type { Layout, Page } from '../markup/layout.ts';

const roleTexts: Readonly<Record<WaitlistRole, string>> = {
  creator: 'I recommend software',
  brand: 'I make software',
  both: 'Both',
};

/** The mistake in a form that was sent. */
export interface FormMistake {
  readonly field: string;
  readonly message: string;
}

/** The fields of the form, in its order. */
export const waitlistFields = ['email', 'name', 'handle', 'role'] as const;

const optional = waitlistFields.slice(1);

/** Describes the page with the form. A form that was refused is shown again with what was typed. */
export function waitlistPage(layout: Layout, typed: URLSearchParams, mistake: FormMistake | null): Page {
  const intro =
    mistake === null
      ? html`<p>
          Leave your e-mail address, and we write to you when your place is ready. Only the address is needed.
        </p>`
      : html`<p class="error" role="alert">You are not on the list yet. ${mistake.message}</p>`;
  return {
    title: mistake === null ? 'Join the waitlist' : 'Not sent: join the waitlist',
    description: `Leave your e-mail address to hear from ${layout.site.name}.`,
    canonical: mistake === null ? '/waitlist' : null,
    current: '/waitlist',
    main: html`<div class="wrap">
      <div class="narrow">
        <header>
          <h1>Join the waitlist</h1>
          ${intro}
        </header>
        <div class="sheet">
          <form method="post" action="${layout.href('/waitlist')}" novalidate>
            ${field('email', 'E-mail address', html` type="email" autocomplete="email" required maxlength="254"`, typed, mistake)}
            ${privacyLink(layout)} ${optionalFields(typed, mistake)}
            <button class="button primary">Join the waitlist</button>
          </form>
        </div>
      </div>
    </div>`,
  };
}

function privacyLink({ site: { privacy } }: Layout): Html | null {
  return privacy === null ? null : html`<p class="hint"><a href="${privacy}">Privacy</a></p>`;
}

/** The fields that may stay empty: folded, unless they hold something or one of them is wrong. */
function optionalFields(typed: URLSearchParams, mistake: FormMistake | null): Html {
  const isOpen = optional.some((name) => (typed.get(name) ?? '') !== '' || mistake?.field === name);
  const chosen = typed.get('role') ?? '';
  const roles = waitlistRoles.map(
    (role) => html`<option value="${role}" ${role === chosen ? html` selected` : null}>${roleTexts[role]}</option>`,
  );
  return html`<details class="more" ${isOpen ? html` open` : null}>
    <summary>Tell us who you are (optional)${icon('next')}</summary>
    <div class="optional">
      ${field('name', 'Name', html` autocomplete="name" maxlength="200" dir="auto"`, typed, mistake)}
      ${field('handle', 'Handle or site', html` autocomplete="off" maxlength="200" dir="auto"`, typed, mistake)}
      <div class="field">
        <label for="role">What you do</label
        ><select id="role" name="role">
          <option value="">No answer</option>
          ${roles}
        </select>
      </div>
    </div>
  </details>`;
}

function field(name: string, label: string, more: Html, typed: URLSearchParams, mistake: FormMistake | null): Html {
  const isWrong = mistake?.field === name;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${isWrong ? html`<p class="error" id="${name}-error">${mistake.message}</p>` : null}<input
      id="${name}"
      name="${name}"
      value="${typed.get(name) ?? ''}"
      ${more}${isWrong ? html` aria-invalid="true" aria-describedby="${name}-error" autofocus` : null}
    />
  </div>`;
}

/** Describes the page after a form was accepted. It is the same for new and known addresses. */
export function joinedPage(layout: Layout): Page {
  return {
    title: 'You are on the waitlist',
    description: 'Your address was accepted.',
    canonical: null,
    main: html`<div class="wrap">
      <div class="stop">
        <h1>You are on the waitlist</h1>
        <p>We write to your address when your place is ready. Signing up again changes nothing.</p>
        <div class="buttons"><a class="button primary" href="${layout.href('/')}">Go to the marketplace</a></div>
      </div>
    </div>`,
  };
}
