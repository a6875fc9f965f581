import { endWithFault, loadLogging } from '../../../app/service/process.ts';
import { range } from '../../support/range.ts';

/**
 * Logs a number of lines, says on standard output that it has, and runs until a fault ends it as it ends the program.
 */
process.on('uncaughtException', (fault) => void endWithFault(fault));
process.on('SIGUSR2', () => {
  throw new Error('on purpose');
});
const { createLogger } = await loadLogging();
const log = await createLogger('json');
for (const number of range(Number(process.argv[2]))) log.info({ number, text: 'ä'.repeat(200) }, 'line');
console.log('logged');
setInterval(() => undefined, 60_000);
