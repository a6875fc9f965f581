// Drives the gate of the client for a judge in another process: reads a JSON object from each line, and prints one.
import { createInterface } from 'node:readline';
import type { Members } from '../../testing/gates/cases.ts';
import { JavaScriptGate } from './javascript.ts';

const gate = new JavaScriptGate();
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await gate.send(JSON.parse(line) as Members)));
