import { readFile } from 'node:fs/promises';

/** A process whose CPU time can be read. */
export interface CpuMeter {
  /** Microseconds of CPU that all its threads have used. */
  cpu(): Promise<number>;
}

/** Linux counts CPU time in ticks of 10 ms (`USER_HZ`). */
const microsecondsPerTick = 10_000;

/** Reads the CPU time of a process and its threads, in microseconds (proc_pid_stat(5): fields 14 and 15). */
export async function cpuOf({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}
