import { html, type Html } from '../../../adapters/web/markup/html.ts';

/** The response of a page outside of the service. */
export interface OutsideResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;color:#1f2937;background:#fff;max-width:42rem;margin:0 auto;padding:2rem 1.25rem}' +
  'a{color:#0f766e}img{max-width:100%;height:auto;border-radius:12px}small,.note{color:#4b5563}' +
  'label{display:block;margin:.75rem 0}input,select,button{display:block;font:inherit;margin-top:.25rem;padding:.5rem .75rem;border:1px solid #6b7280;border-radius:8px;width:100%;box-sizing:border-box}' +
  'button{background:#0f766e;border-color:#0f766e;color:#fff;cursor:pointer;margin-top:1.25rem}li{margin:.75rem 0}';

/** A page that is not of the service: somebody else's, whom the demo stands in for. */
export function outsidePage(title: string, main: Html, status = 200): OutsideResponse {
  const document = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      <link rel="stylesheet" href="/style.css" />
    </head>
    <body>
      <main>
        <h1>${title}</h1>
        ${main}
      </main>
    </body>
  </html>`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html>${document.text}` };
}

export const styleSheet: OutsideResponse = { status: 200, headers: { 'Content-Type': 'text/css' }, body: style };

export function redirectTo(address: string): OutsideResponse {
  return { status: 303, headers: { Location: address }, body: '' };
}

/** A picture or a text that never changes. */
export function fileOf(type: string, body: string): OutsideResponse {
  return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'max-age=86400' }, body };
}
