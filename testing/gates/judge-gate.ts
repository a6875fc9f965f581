import { GateProcess } from './gate-process.ts';
import { judge, type Judgement, type JudgeOptions } from './judge.ts';

export interface JudgeGateOptions extends JudgeOptions {
  /** The program, and its arguments. It reads a JSON object from each line of its input, and prints one. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
}

/** Tries each case of `gates/cases.json` on a gate in any language, behind a small program that drives it. */
export async function judgeGate({ command, cwd = process.cwd(), only }: JudgeGateOptions): Promise<Judgement> {
  const gate = new GateProcess(command, cwd);
  try {
    return await judge(gate, { only });
  } finally {
    await gate.stop();
  }
}
