import { createLogger } from '../../../app/service/logger.ts';
import { range } from '../../support/range.ts';

/**
 * Logs a number of lines to the standard error that it shares with other processes, and then says so on standard
 * output.
 */
const [name, lines] = process.argv.slice(2);
const log = await createLogger('json', 'info', 'shared');
for (const number of range(Number(lines))) log.info({ name, number, text: 'ä'.repeat(number % 400) }, 'line');
console.log('logged');
