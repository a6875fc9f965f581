import type { MailContent } from '../../../core/mail/mail-writer.port.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import type { Words } from '../markup/words.ts';
import { legibleOn } from '../page/colors.ts';

/** The parts of the site that all mails need. */
export interface MailSite {
  readonly words: Words;
  readonly name: string;
  /** The color of links, as `#rrggbb`: each takes of it what can be read. */
  readonly accent: string;
  /** The address of a path of the site. */
  readonly href: (path: string) => string;
  /** Whether there is a page of a license, and one for lost keys. */
  readonly hasLicensePage: boolean;
  readonly hasLostPage: boolean;
  /** Where help is for a product without its own; null for nowhere. */
  readonly help: string | null;
  /** The hosts from which icons of products are shown, such as `cdn.example`. */
  readonly imageHosts: readonly string[];
  /** Whether answers have an address of their own. */
  readonly takesAnswers: boolean;
}

/** A piece of a mail in both of its forms. */
export interface Said {
  readonly text: string;
  readonly html: Html;
}

/** A text of the table with its values. */
export function say(words: Words, name: TextName, values: Readonly<Record<string, string | Said>> = {}): Said {
  const all = Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? plain(value) : value]);
  const parts = Object.fromEntries(all) as Readonly<Record<string, Said>>;
  const texts = Object.fromEntries(Object.entries(parts).map(([key, { text }]) => [key, text]));
  const htmls = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.html]));
  return { text: words.plain(name, texts), html: words.of(name, htmls) };
}

export function plain(text: string): Said {
  return { text, html: html`${text}` };
}

/** A name that somebody has chosen, whose direction changes nothing around it. */
export function named(name: string): Said {
  return { text: name, html: html`<bdi>${name}</bdi>` };
}

/** The backgrounds behind the texts of a mail, in light and in dark colors. */
const [lightCard, darkCard] = ['#ffffff', '#1b1b20'];

/** An address: as it is in the text, a link in the HTML. */
export function addressed({ accent }: Pick<MailSite, 'accent'>, url: string, label: Html | null = null): Said {
  const text = url.replace(/^mailto:/, '');
  const color = legibleOn(lightCard, accent);
  return { text, html: html`<a class="m-link" style="color: ${color}" href="${url}">${label ?? text}</a>` };
}

/** A paragraph of lines. */
export function paragraph(...lines: readonly Said[]): Said {
  return { text: textOf(lines), html: html`<p style="margin: 0 0 16px">${linesOf(lines)}</p> ` };
}

/** The last paragraph, which says why the mail came. */
export function footer(...lines: readonly Said[]): Said {
  return {
    text: textOf(lines),
    html: html`<p class="m-soft" style="margin: 24px 0 0; color: #5c5c69; font-size: 14px">${linesOf(lines)}</p>`,
  };
}

/** A key, which stands alone so that it can be copied. */
export function keyBox(key: string): Said {
  return {
    text: indented(key),
    html: html`<p
      class="m-key"
      dir="ltr"
      style="
        margin: 0 0 24px;
        padding: 16px;
        background: #f6f6f9;
        border: 1px solid #8a8a98;
        border-radius: 8px;
        font:
          600 17px/1.5 ui-monospace,
          Menlo,
          Consolas,
          monospace;
        word-break: break-word;
      "
    >
      ${key}
    </p> `,
  };
}

/** Shifts the lines of a text to the right, as a part of what stands above it. */
export function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function textOf(lines: readonly Said[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function linesOf(lines: readonly Said[]): readonly Html[] {
  return lines.map((line, index) => html`${index === 0 ? null : html`<br />`}${line.html}`);
}

/** A whole mail, below an icon if it has one. Its subject is one line, whatever a name has in it. */
export function mailOf(site: MailSite, title: string, parts: readonly Said[], icon: Html | null = null): MailContent {
  const subject = title.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
  return {
    subject,
    text: `${parts.map(({ text }) => text).join('\n\n')}\n`,
    html: documentOf(
      site,
      subject,
      parts.map((part) => part.html),
      icon,
    ).text,
  };
}

function documentOf({ words, accent }: MailSite, title: string, content: readonly Html[], icon: Html | null): Html {
  return html`<!doctype html>
    <html lang="${words.language}" dir="${words.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        <style>
          @media (prefers-color-scheme: dark) {
            .m-page {
              background: #131316 !important;
              color: #ececf1 !important;
            }
            .m-card {
              background: ${darkCard} !important;
              border-color: #34343c !important;
            }
            .m-key {
              background: #131316 !important;
              border-color: #5a5a66 !important;
            }
            .m-soft {
              color: #a9a9b6 !important;
            }
            .m-link {
              color: ${legibleOn(darkCard, accent)} !important;
            }
          }
        </style>
      </head>
      <body
        class="m-page"
        style='
          margin: 0;
          padding: 32px 16px;
          background: #f6f6f9;
          color: #1d1d22;
          font:
            16px/1.5 -apple-system,
            "Segoe UI",
            Roboto,
            Helvetica,
            Arial,
            sans-serif;
        '
      >
        <div
          class="m-card"
          role="main"
          style="
            max-width: 560px;
            margin: 0 auto;
            padding: 32px;
            background: ${lightCard};
            border: 1px solid #e3e3ea;
            border-radius: 12px;
            word-break: break-word;
          "
        >
          ${icon}
          <h1 dir="auto" style="margin: 0 0 16px; font-size: 22px; line-height: 1.3">${title}</h1>
          ${content}
        </div>
      </body>
    </html> `;
}
