import { waitlistRoles, type WaitlistRole } from '../../../core/waitlist/sign-up.ts';
import { html, type Html } from '../markup/html.ts';
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

/** Describes the page with the form. A form that was refused is shown again with what was typed. */
export function waitlistPage(layout: Layout, typed: URLSearchParams, mistake: FormMistake | null): Page {
  const field = (name: string, label: string, more: Html): Html => {
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
  };
  const chosen = typed.get('role') ?? '';
  const roles = waitlistRoles.map(
    (role) => html`<option value="${role}" ${role === chosen ? html` selected` : null}>${roleTexts[role]}</option>`,
  );
  return {
    title: mistake === null ? 'Join the waitlist' : 'Not sent: join the waitlist',
    description: `Leave your e-mail address to hear from ${layout.siteName}.`,
    canonical: mistake === null ? '/waitlist' : null,
    main: html`<div class="narrow">
      <h1>Join the waitlist</h1>
      ${mistake === null ? null : html`<p class="error" role="alert">You are not on the list yet. ${mistake.message}</p>`}
      <p>Leave your e-mail address, and we write to you when your place is ready. Only the address is needed.</p>
      <form method="post" action="${layout.href('/waitlist')}" novalidate>
        ${field('email', 'E-mail address', html` type="email" autocomplete="email" required maxlength="254"`)}
        ${field('name', 'Name (optional)', html` autocomplete="name" maxlength="200"`)}
        ${field('handle', 'Handle or site (optional)', html` autocomplete="off" maxlength="200"`)}
        <div class="field">
          <label for="role">What you do (optional)</label
          ><select id="role" name="role">
            <option value="">No answer</option>
            ${roles}
          </select>
        </div>
        <p class="actions"><button class="button primary">Join the waitlist</button></p>
      </form>
    </div>`,
  };
}

/** Describes the page after a form was accepted. It is the same for new and known addresses. */
export function joinedPage(layout: Layout): Page {
  return {
    title: 'You are on the waitlist',
    description: 'Your address was accepted.',
    canonical: null,
    main: html`<div class="message">
      <h1>You are on the waitlist</h1>
      <p>We write to your address when your place is ready. Signing up again changes nothing.</p>
      <p><a class="button" href="${layout.href('/')}">Go to the marketplace</a></p>
    </div>`,
  };
}
