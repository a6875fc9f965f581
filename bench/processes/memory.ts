import { readFile } from 'node:fs/promises';

/** Reads the resident memory of a process in bytes (`VmRSS` of proc_pid_status(5)). */
export async function rssOf({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
