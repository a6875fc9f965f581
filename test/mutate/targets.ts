/** A part of the sources, and the tests that must notice every change of it. */
export interface Target {
  /** Patterns of the files to change. */
  readonly sources: readonly string[];
  /** Patterns of the test files. */
  readonly tests: readonly string[];
  /** A regular expression for the titles of the tests. */
  readonly titles: string;
  /** Whether changes of code that runs on import are tried too, in a process for each. */
  readonly onImport: boolean;
  /** The share of the mutants that are tried, 1 for all. */
  readonly sample: number;
  /** The share of the mutants that must be killed, in percent; null if the run only measures it. */
  readonly minKilled: number | null;
  /** The needs that the tests are run without. */
  readonly without: string;
}

/** The tests on the disk or in another process take seconds and check the same rules once more. */
const memoryOnly = String.raw`^(?!.* on (the )?(sqlite|mongo)\b)`;

export const targets: Readonly<Record<string, Target>> = {
  core: {
    sources: ['core/**/*.ts'],
    // The contracts of the store in memory prove the use cases that a port exists for, and take two seconds.
    tests: ['test/core/**/*.test.ts', 'test/adapters/memory/memory-store.test.ts'],
    titles: memoryOnly,
    onImport: true,
    sample: 1,
    minKilled: 97,
    without: 'mongodb',
  },
  http: {
    sources: ['adapters/http/**/*.ts', '!adapters/http/operations/docs/**', '!adapters/http/openapi/**'],
    // Without the tests that run for seconds by themselves, such as the one of mutated requests.
    tests: ['test/adapters/http/{exchange,operations}/*.test.ts'],
    titles: memoryOnly,
    onImport: false,
    sample: 0.05,
    minKilled: null,
    without: 'mongodb',
  },
  sqlite: {
    sources: ['adapters/sqlite/engine/{read,write}-batcher.ts'],
    tests: ['test/adapters/sqlite/{sqlite-store,engine/*}.test.ts'],
    titles: '',
    onImport: false,
    sample: 1,
    minKilled: null,
    without: 'mongodb',
  },
  mongo: {
    sources: ['adapters/mongo/driver/read-batcher.ts', 'adapters/mongo/entitlement/write-batcher.ts'],
    tests: ['test/adapters/mongo/{mongo-store,driver/*}.test.ts'],
    titles: '',
    onImport: false,
    sample: 0.5,
    minKilled: null,
    without: '',
  },
};
