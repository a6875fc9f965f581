import type { Call } from '../../core/call.ts';
import { recordMailCases } from '../../core/mail/mail-cases.ts';
import { portsIn } from '../service/container.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpPortParts } from './http-port.ts';
import { RepeatedTask } from './repeated-task.ts';

/** Milliseconds between two searches for mails that are parked, and for those that need no person any more. */
const casesPause = 10_000;

/** Keeps the cases of mails that need a person, beside the mails of a process. */
export function mailCases(
  { container, clock, log }: Pick<HttpPortParts, 'container' | 'clock' | 'log'>,
  { storeDeadline }: Pick<Settings, 'storeDeadline'>,
): { readonly start: () => void; readonly stop: () => Promise<void> } {
  const search = recordMailCases(portsIn(container));
  const begin = (): Call => newCall(clock(), storeDeadline, 'clock');
  const task = new RepeatedTask((isStopped) => search(begin, isStopped), casesPause);
  return {
    start: () =>
      task.start((err) => log.error({ err }, 'the mails that need a person could not be found; it is tried again')),
    stop: () => task.stop(),
  };
}
