import type { System } from '../host/project-host.ts';

interface BulkVariable {
  /** The setting that goes before it. */
  readonly setting: 'concurrency' | 'rowTimeoutMs' | 'timeoutMs';
  readonly most: number;
  /** What holds where the variable cannot be read. */
  readonly otherwise: string;
}

/** Variables of Prompt flow that have a say in a run over data; each holds a whole number. */
const bulkVariables = {
  PF_WORKER_COUNT: { setting: 'concurrency', most: 10_000, otherwise: '8 rows run at a time' },
  PF_LINE_TIMEOUT_SEC: {
    setting: 'rowTimeoutMs',
    most: Number.MAX_SAFE_INTEGER,
    otherwise: 'each row has 600 seconds',
  },
  PF_BATCH_TIMEOUT_SEC: {
    setting: 'timeoutMs',
    most: Number.MAX_SAFE_INTEGER,
    otherwise: 'the run has no time limit',
  },
} as const satisfies Readonly<Record<string, BulkVariable>>;

export type BulkVariableName = keyof typeof bulkVariables;

/** What a variable says; undefined where it is not there, or no such number. */
export function bulkVariable(name: BulkVariableName, { environment }: Pick<System, 'environment'>): number | undefined {
  const written = environment[name]?.trim() ?? '';
  const number = /^\d+$/.test(written) ? Number(written) : 0;
  return number >= 1 && number <= bulkVariables[name].most ? number : undefined;
}

/** Prompt flow passes over a variable that it cannot read without a word. @returns a sentence about each that would have had a say */
export function unreadVariables(
  given: Readonly<Partial<Record<BulkVariable['setting'], unknown>>>,
  system: Pick<System, 'environment'>,
): readonly string[] {
  return (Object.keys(bulkVariables) as readonly BulkVariableName[]).flatMap((name) => {
    const { setting, most, otherwise } = bulkVariables[name];
    const written = system.environment[name] ?? '';
    const isRead = written.trim() === '' || given[setting] !== undefined || bulkVariable(name, system) !== undefined;
    if (isRead) return [];
    const range = most === Number.MAX_SAFE_INTEGER ? 'of 1 or more' : `from 1 to ${most}`;
    return [`${name} is ${JSON.stringify(written)}, not a whole number ${range}: ${otherwise}`];
  });
}
