const endings: (() => Promise<void>)[] = [];

/** Runs `end` after each file of tests from now on, so that what is used by some files is loaded by these only. */
export function afterFile(end: () => Promise<void>): void {
  endings.push(end);
}

/** Runs after each file. */
export async function endFile(): Promise<void> {
  for (const end of endings) await end();
}
