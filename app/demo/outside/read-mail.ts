/** A mail as its reader sees it. */
export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Part {
  readonly fields: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
}

/** Reads a mail of the service (RFC 2045), which has a text and the same as HTML. */
export function readMail(lines: readonly string[]): ReadMail {
  const mail = partOf(lines);
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(mail.fields.get('content-type') ?? '') ?? [];
  const parts = partsBetween(mail.lines, `--${boundary}`).map(partOf);
  const contentOf = (type: string): string => {
    const part = parts.find(({ fields }) => fields.get('content-type')?.startsWith(type));
    return part === undefined ? '' : decoded(part).toString('utf8');
  };
  const subject = mail.fields.get('subject') ?? '';
  return { subject: decodedWords(subject), text: contentOf('text/plain'), html: contentOf('text/html') };
}

function partOf(lines: readonly string[]): Part {
  const end = lines.indexOf('');
  const header = lines
    .slice(0, end)
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ');
  const fields = header.split('\n').map((field): [string, string] => {
    const [name = '', value = ''] = field.split(/:\s*(.*)/s);
    return [name.toLowerCase(), value];
  });
  return { fields: new Map(fields), lines: lines.slice(end + 1) };
}

function partsBetween(lines: readonly string[], delimiter: string): readonly (readonly string[])[] {
  const marks = lines.flatMap((line, index) => (line.startsWith(delimiter) ? [index] : []));
  return marks.slice(0, -1).map((mark, index) => lines.slice(mark + 1, marks[index + 1]));
}

function decoded({ fields, lines }: Part): Buffer {
  const encoding = fields.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(lines.join(''), 'base64');
  const text = lines.join('\n');
  return encoding === 'quoted-printable' ? unquoted(text.replaceAll('=\n', '')) : Buffer.from(text, 'latin1');
}

function unquoted(text: string): Buffer {
  const plain = text.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(plain, 'latin1');
}

/** Reads the encoded words of a header field (RFC 2047). */
function decodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      (encoding.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquoted(word.replaceAll('_', ' '))).toString(
        'utf8',
      ),
    );
}
