import type { CommanderError } from 'commander';

const unknown = /^error: (unknown (?:option|command)) '(.*?)'(?:\n\((.*)\))?$/s;

/** A mistyped command or option, and nothing that could be a key. */
const word = /^-{0,2}[a-z][a-z-]{0,19}$/i;

/** What is wrong with a command line, in words that repeat no value of it. */
export function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is missing or unknown: see --help.';
  const [, kind, argument = '', hint] = unknown.exec(message) ?? [];
  if (kind === undefined) return withFullStop(message.replace(/^error: /, ''));
  const [name = ''] = argument.split('=');
  const what = word.test(name) ? `${kind} '${name}'` : kind;
  return hint === undefined ? `${withFullStop(what)} See --help.` : `${withFullStop(what)} ${hint}`;
}

function withFullStop(text: string): string {
  const end = text.endsWith('.') ? '' : '.';
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}
