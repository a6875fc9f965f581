import type { ContainerModule } from 'inversify';
import type { Call } from '../../core/call.ts';
import type { Archive } from '../../core/copy/archive.port.ts';

/** An open store: the module that binds its ports, and its life. */
export interface Store {
  readonly module: ContainerModule;
  /** Everything in it, for a copy; null where nothing outlives the process. */
  readonly archive: Archive | null;
  /** What a start-up line says of it. */
  readonly description: string;
  /** Whether it can be asked now. */
  ready(call: Call): Promise<boolean>;
  close(): Promise<void>;
}
