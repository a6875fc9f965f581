import { knownOptions, type NamesOf } from '../options/known-options.ts';
import { GateProcess } from './gate-process.ts';
import { judge, type Judgement, type JudgeOptions } from './judge.ts';

export interface JudgeGateOptions extends JudgeOptions {
  /** The program, and its arguments. It reads a JSON object from each line of its input, and prints one. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
}

const names: NamesOf<JudgeGateOptions> = { command: true, cwd: true, only: true };

/** Tries each case of `gates/cases.json` on a gate in any language, behind a small program that drives it. */
export async function judgeGate(options: JudgeGateOptions): Promise<Judgement> {
  const { command, cwd = process.cwd(), only } = knownOptions('judgeGate', names, options);
  const gate = new GateProcess(command, cwd);
  try {
    return await judge(gate, { only });
  } finally {
    await gate.stop();
  }
}
