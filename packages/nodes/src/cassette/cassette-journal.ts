import { isMapping, type JsonObject, parseOwnJson, stringifyJson } from '@unroll/engine';
import { callValue, type RecordedConnection, readCall } from './cassette-text.ts';
import type { RecordedCall } from './recorded-call.ts';

/** A call that was just recorded, and the row that asked first. */
export interface JournaledCall {
  readonly row: number;
  readonly call: RecordedCall;
  readonly connection: RecordedConnection;
}

/** Where calls are kept as they are recorded, so that a run that is killed loses none. */
export interface CallJournal {
  /** What this run, or one that was killed, recorded before. */
  readonly begun: readonly JournaledCall[];
  append(call: JournaledCall): void;
}

/** What a run that records has done so far: calls in the order in which they ended, and the connections they went to. */
export interface CassetteJournal {
  readonly connections: Readonly<Record<string, RecordedConnection>>;
  readonly calls: readonly JournaledCall[];
}

/**
 * One line of JSON for a call, with the row that asked first and the connection that answered. It is ASCII: a line that is cut
 * anywhere leaves no half of a character, for which the whole file would be no text.
 */
export function journalLine({ row, call, connection }: JournaledCall): string {
  const json = stringifyJson({ row, to: { ...connection }, call: callValue(call) });
  return `${json.replace(/[\u0080-\uffff]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A line that is no call is passed over: it is half of one, where a run was killed while it wrote. */
export function readJournal(text: string): CassetteJournal {
  const calls = text
    .split('\n')
    .map(readLine)
    .filter((call) => call !== undefined);
  const connections = Object.fromEntries(calls.map(({ call, connection }) => [call.connection, connection]));
  return { connections, calls };
}

function readLine(line: string): JournaledCall | undefined {
  try {
    const { row = 0, to, call } = parseOwnJson(line) as JsonObject;
    if (typeof row !== 'number' || !isMapping(to) || !isMapping(call)) return undefined;
    return { row, call: readCall(call, 'journal'), connection: to as unknown as RecordedConnection };
  } catch {
    return undefined;
  }
}
