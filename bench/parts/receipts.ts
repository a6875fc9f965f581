import { randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { encodeText, keyPairs, signer } from '../../adapters/crypto/signing.ts';
import { publicWorkloads, receiptWorkload } from '../load/workloads.ts';
import { medianOf, roundsOf, spreadOf } from '../measure/figures.ts';
import { measure } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { cpu, ms, rate, spread, table } from '../report/table.ts';

const [verification, receipt] = ['verification', 'receipt'] as const;

/** Microseconds by which a receipt may cost more than a verification and a signature. */
const aim = 10;

/** Signatures of one measurement: they take about a tenth of a second. */
const signatures = 2000;

/** A receipt beside a verification, in one process on SQLite, and the signature alone. */
export const receipts = part({
  name: 'receipts',
  about: cpuOfRequests,
  async measure(site, { licenses, effort }) {
    const { data, server } = await site.seeded(site.sqlite('receipts'), licenses);
    const contenders = [
      { name: verification, server, workload: publicWorkloads(data).verification },
      { name: receipt, server, workload: receiptWorkload(data) },
    ];
    const sign = signatureTimer();
    const measured = await measure(contenders, effort);
    return { licenses, contenders: measured, signature: Array.from({ length: effort.rounds }, sign) };
  },
  table: ({ contenders, signature }) => {
    const more = medianOf(roundsOf(contenders, receipt), 'cpu') - medianOf(roundsOf(contenders, verification), 'cpu');
    const rows = [
      ...contenders.map(({ name, rounds }) => ({ name, cpu: cpu(rounds), rounds })),
      { name: 'signature', cpu: spread(signature), rounds: null },
    ];
    return table(rows, [
      ['operation', ({ name }) => name],
      ['CPU', (row) => row.cpu],
      ['more than a verification', ({ name }) => (name === receipt ? more.toFixed(0) : '')],
      ['without the signature', ({ name }) => (name === receipt ? (more - spreadOf(signature).median).toFixed(0) : '')],
      ['aim', ({ name }) => (name === receipt ? `≤ ${aim}` : '')],
      ['answers/s', ({ rounds }) => (rounds === null ? '' : rate(rounds))],
      ['p99', ({ rounds }) => (rounds === null ? '' : ms(medianOf(rounds, 'p99')))],
    ]);
  },
});

/** Measures the CPU of one signature in this process, in microseconds. */
function signatureTimer(): () => number {
  const key = keyPairs(randomBytes)();
  const sign = signer();
  const text = encodeText('x'.repeat(500));
  return () => {
    const before = process.cpuUsage();
    for (let count = 0; count < signatures; count += 1) sign(`${text}${count}`, key);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / signatures;
  };
}
