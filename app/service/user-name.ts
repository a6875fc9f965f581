import { userInfo } from 'node:os';

/** Returns the name of the user that runs this process or, where the system has none, as in some containers, the number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
