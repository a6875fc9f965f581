import type { CommanderError } from 'commander';

const unknown = /^error: (unknown (?:option|command)) '(.*?)'(?:\n\((.*)\))?$/s;

/** What is short and wordy enough to be a mistyped command or option; anything else might be a key. */
const word = /^-{0,2}[a-z][a-z-]{0,19}$/i;

/** What is wrong with a command line, as a sentence that repeats no value of it. */
export function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is missing or unknown: see above.';
  const [, kind, argument = '', hint] = unknown.exec(message) ?? [];
  if (kind === undefined) return sentence(message.replace(/^error: /, ''));
  const [name = ''] = argument.split('=');
  const what = word.test(name) ? `${kind} '${name}'` : kind;
  return hint === undefined ? `${sentence(what)} See --help.` : `${sentence(what)} ${hint}`;
}

function sentence(text: string): string {
  const end = text.endsWith('.') ? '' : '.';
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}
