import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../app/main.ts', import.meta.url));

/** Runs a line of words as a process of its own with `--json`, expects it to succeed, and gives its value. */
export function runCommandProcess(line: string, storeUrl: string): Promise<unknown> {
  const args = [program, ...line.split(' '), '--store', storeUrl, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(new Error(`${line}: ${stderr}`));
    });
  });
}
