import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Administration } from '../../../core/administration/administration.ts';
import type { ChangeFacts, ChangeLines } from '../../../core/administration/change-log.ts';
import type { Call, NewCall } from '../../../core/call.ts';
import type { OperatorScope } from '../../../core/key/operator/operator-key.ts';
import type { Page, PageRequest } from '../../../core/paging/page.ts';
import type { CommandRefusal } from '../../../core/refusal.ts';
import type { Member, Members, ValuesOf } from './member.ts';

/** The outcome of a command: its changes, or what it shows. */
export interface Outcome {
  /** Plain values and instants, over HTTP and as JSON. The command line shows a list as a table. */
  readonly data: object;
  /** Whether it has made something. */
  readonly isNew?: boolean;
  /** The entitlement that it was about, for the log of requests. */
  readonly entitlementId?: string;
  /** The output of the command line in place of the data. */
  readonly shown?: object;
  /** The members that people read in place of those. */
  readonly facts?: object;
  /** One line for people, in place of all of that. */
  readonly text?: string;
  /** One more line for people. */
  readonly note?: string;
  /** The columns of a list; of one in a member, that stands below the other members. */
  readonly table?: { readonly member?: string; readonly columns: readonly string[] };
}

/** A list with pages. The command line shows all of them. */
export interface Pages<Item, Values> {
  readonly page: (administration: Administration, values: Values, page: PageRequest, call: Call) => Promise<Page<Item>>;
  readonly view: (item: Item) => object;
  /** The items on the command line. Absent for an operation only. */
  readonly every?: (administration: Administration, values: Values, newCall: NewCall) => AsyncIterable<Item>;
  readonly columns?: readonly string[];
  /** Columns that are cut on a narrow terminal. */
  readonly flexible?: readonly string[];
  /** A row of the table. Default: the view. */
  readonly row?: (item: Item) => object;
}

/** The operation of a command, and its texts in the document. */
export interface DeclaredOperation {
  readonly id: string;
  /**
   * A member in the path has its name there: `PUT /admin/stripe/prices/:price`. The others are in the body or, of GET,
   * in the query.
   */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /admin/${string}`;
  readonly access: OperatorScope;
  /** Another scope that some values need. */
  readonly alsoNeeds?: (values: object) => OperatorScope | null;
  readonly summary: string;
  readonly description: string;
  /** The name of the schema of a body, and an example. A command without it reads none. */
  readonly request?: { readonly schema: string; readonly example: object };
  /** `XAnswer` and `XPage` follow from the schema `X`. A command that can make something has a meaning for 201. */
  readonly answer: { readonly schema: string; readonly description: string; readonly created?: string };
  /** The maximum size of a body in bytes, if it is not that of all. */
  readonly bodyLimit?: number;
  /** Milliseconds that it may wait for something that is no store. */
  readonly extraTime?: number;
  /** `invalid_parameter` follows from the route. */
  readonly refusals: readonly CommandRefusal[];
}

/** A command of the administrator. Its operation, its schemas, its command line and its batch mode follow from it. */
export interface Command {
  /** Null for one that is an operation only. */
  readonly verb: string | null;
  /** Its description in the help. */
  readonly does: string;
  /** Null for one that is no operation. */
  readonly operation: DeclaredOperation | null;
  readonly members: Members;
  /** The order of the options in the help, if it is not that of the members. */
  readonly order?: readonly string[];
  /** Whether `-` reads many from standard input. Default: all but those that read. */
  readonly hasBatch?: boolean;
  /** Whether it creates a missing store. */
  readonly createsStore?: true;
  /** The lines of the log about each use case that changes something: null if it has changed nothing. */
  readonly log?: ChangeLines<ChangeFacts>;
  readonly run: Run | Pages<unknown, object>;
}

type Run = (administration: Administration, values: object, call: Call) => Promise<Outcome>;

/** The type of a command before what its members give is forgotten. */
type Declared<Own extends Members> = Omit<Command, 'members' | 'order' | 'run'> & {
  readonly members: Own;
  readonly order?: readonly (keyof Own & string)[];
  readonly run: (administration: Administration, values: ValuesOf<Own>, call: Call) => Promise<Outcome>;
};

export function command<Own extends Members>(declared: Declared<Own>): Command {
  return declared as unknown as Command;
}

type DeclaredList<Own extends Members, Item> = Omit<Command, 'members' | 'run' | 'log' | 'verb'> & {
  readonly verb?: string | null;
  readonly members: Own;
} & Pages<Item, ValuesOf<Own>>;

/** A command that lists everything of a kind. */
export function list<Own extends Members, Item>(declared: DeclaredList<Own, Item>): Command {
  return { verb: 'list', ...declared, run: declared as unknown as Pages<unknown, object> };
}

/** All commands about one kind of thing, in the order of the document. */
export interface CommandGroup {
  /** The words before a verb: `webhook`. */
  readonly name: string;
  readonly tag: { readonly name: string; readonly description: string };
  /** The schemas of its answers. */
  readonly schemas: Readonly<Record<string, SchemaObject>>;
  readonly commands: readonly Command[];
}

/** The log lines of a group, whose changes are named as its commands are. */
export function linesOf({ name, commands }: CommandGroup): ChangeLines {
  const named = commands.flatMap(({ verb, log = {} }) =>
    Object.entries(log as Readonly<Record<string, AnyLine>>).map(([useCase, line]) => {
      const lineOf: AnyLine = (...parameters) => {
        const facts = line(...parameters);
        return facts && { command: `${name} ${verb}`, ...facts };
      };
      return [useCase, lineOf] as const;
    }),
  );
  return Object.fromEntries(named);
}

/** Any line of the table. The type of the table pairs it with its use case. */
type AnyLine = (...parameters: readonly unknown[]) => ChangeFacts | null;

/** The name that a member has in the path of its operation; null for one that is elsewhere. */
export function pathNameOf(name: string, { inPath = false }: Member<unknown>): string | null {
  if (inPath === false) return null;
  return inPath === true ? name : inPath;
}
