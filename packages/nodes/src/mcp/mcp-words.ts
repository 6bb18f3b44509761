import { expectedSentence, type JsonObject } from '@unroll/engine';
import { causeOf } from '../http/cause-of.ts';

/** A tool as its server describes it. */
export interface McpToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isReadOnly: boolean;
  /** What its answers as data are to fit. */
  readonly outputSchema?: JsonObject;
  /** Its calls are tasks that go on by themselves, which are not spoken here. */
  readonly needsTask?: true;
}

/** Of what a process writes to stderr, so many characters are told when it cannot be reached, */
export const maxStderrShown = 500;

/** and more are kept: what looks like a key is not cut before it is taken out. */
export const stderrKept = 20_000;

/** Of what the official client throws where an answer has another shape than its schemas. */
interface Unfit {
  readonly issues: readonly {
    readonly code: string;
    readonly path: readonly PropertyKey[];
    readonly message: string;
  }[];
}

export function isUnfit(thrown: unknown): thrown is Unfit {
  return typeof thrown === 'object' && thrown !== null && 'issues' in thrown && Array.isArray(thrown.issues);
}

/** `params.arguments must be a mapping`; undefined where the whole could be one of several messages. */
export function unfitMember({ issues: [issue] }: Unfit): string | undefined {
  if (issue === undefined || issue.code === 'invalid_union') return undefined;
  const { path, message } = issue;
  const wanted = expectedSentence(issue as unknown as Parameters<typeof expectedSentence>[0]);
  return wanted === undefined ? `${path.map(String).join('.')}: ${message}` : `${path.map(String).join('.')} ${wanted}`;
}

function unfitText(unfit: Unfit): string {
  const member = unfitMember(unfit);
  return ['it answered with what the protocol does not know', member ?? []].flat().join(': ');
}

/** The message, and what made the connection fail where that says little. */
export function causeText(thrown: unknown): string {
  if (isUnfit(thrown)) return unfitText(thrown);
  const { message = String(thrown) } = thrown as Error;
  const cause = causeOf(thrown);
  return cause.code === undefined || message.includes(cause.message) ? message : `${message}: ${cause.message}`;
}

/** HTTP status of a refusal: what the client throws has it as its code. */
export function statusOf(thrown: unknown): number | undefined {
  const { code } = thrown as { readonly code?: unknown };
  return typeof code === 'number' && code >= 100 && code <= 999 ? code : undefined;
}
