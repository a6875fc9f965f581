import { runProgram } from '../cli/run-command.ts';
import { programPath } from '../processes/command-process.ts';
import { runScript } from './shell.ts';

/** Where a script of a document runs. */
interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** This checkout's program, as a word of a script. */
export const programWord = `'${process.execPath}' '${programPath}'`;

const ownCommand = /^\.\/latchkey [^|<>&;\\]*$/;

/**
 * Runs a script of a document with this checkout's program for `./latchkey`, and returns its standard output. A line that is one
 * command runs in this process: the shell reads only its words. Throws if a command fails.
 */
export async function runCommands(script: string, place: Place): Promise<string> {
  if (/^export /m.test(script)) return runProcesses(script, place);
  let output = '';
  let others: string[] = [];
  for (const line of script.trimEnd().split('\n')) {
    if (!ownCommand.test(line)) {
      others.push(line);
      continue;
    }
    if (others.length > 0) output += await runProcesses(others.join('\n'), place);
    others = [];
    output += await runLine(line, place);
  }
  return others.length === 0 ? output : output + (await runProcesses(others.join('\n'), place));
}

function runProcesses(script: string, place: Place): Promise<string> {
  return runScript(script.replaceAll('./latchkey', programWord), place);
}

async function runLine(line: string, place: Place): Promise<string> {
  const words = await runScript(line.replace('./latchkey', String.raw`printf '%s\0'`), place);
  const before = process.cwd();
  process.chdir(place.cwd);
  try {
    const { exitCode, stdout, stderr } = await runProgram(words.split('\0').slice(0, -1), { env: place.env });
    if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
    return stdout;
  } finally {
    process.chdir(before);
  }
}
