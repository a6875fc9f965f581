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
  const fields = await statOf(String(pid));
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

/** Reads the CPU time of all child processes that have ended, in microseconds (fields 16 and 17). */
export async function cpuOfChildren(): Promise<number> {
  const fields = await statOf('self');
  return (Number(fields[13]) + Number(fields[14])) * microsecondsPerTick;
}

/** Reads the fields of a process from the third on. */
async function statOf(pid: string): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
