import { Option, type Command } from 'commander';
import type { CommonOptions } from './administer.ts';
import { notBlank, port } from './arguments.ts';
import type { Shell } from './shell.ts';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

export function addServerCommands(program: Command, shell: Shell): void {
  listening(program.command('serve'))
    .description('answer requests until told to stop, and create the store if there is none')
    .action((listen: ListenOptions, command: Command) => {
      const { store = shell.defaultStore, json = false } = command.optsWithGlobals<CommonOptions>();
      return shell.serve({ store, json, host: listen.host, port: listen.port });
    });

  listening(program.command('demo'))
    .description('serve a store filled with examples, and show a request for each of them')
    .action((listen: ListenOptions, command: Command) => {
      const { store, json = false } = command.optsWithGlobals<CommonOptions>();
      return shell.demo({ store, json, host: listen.host, port: listen.port });
    });
}

function listening(command: Command): Command {
  return command
    .addOption(new Option('--host <address>', 'to listen on').default('127.0.0.1').argParser(notBlank('--host')))
    .addOption(new Option('--port <number>', 'to listen on; 0 for any').default(3000).argParser(port('--port')));
}
