import { type JsonObject, type ModelService, mappingOf, type NodeError, parseJson, type Usage } from '@unroll/engine';
import * as z from 'zod';
import { callWithRetries, defaultRetryRule } from '../llm/call-with-retries.ts';
import type { Clock, ConcurrencyLimiter } from '../llm/concurrency-limiter.ts';
import type { DescribedTool } from '../tool-catalogue/catalogue-tool.ts';

/** How a model is asked for queries. */
export interface QueryAsking {
  readonly service: ModelService;
  /** Name of the model, at Azure of the deployment. */
  readonly model: string;
  /** Queries a tool, 1 or more. */
  readonly count: number;
  /** Calls on one connection wait together. */
  readonly gate: ConcurrencyLimiter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type AskedQueries =
  | { readonly ok: true; readonly queries: readonly string[]; readonly usage?: Usage }
  | { readonly ok: false; readonly error: NodeError; readonly usage?: Usage };

/**
 * Asks a model for requests that users might make whom this tool can help, so that the tool is found by what is said and not
 * only by how it is documented. Never rejects.
 *
 * Document expansion as in Chen and others, Re-Invoke: Tool Invocation Rewriting for Zero-Shot Tool Retrieval (2024), 3.1.
 */
export async function askForQueries(tool: DescribedTool, asking: QueryAsking): Promise<AskedQueries> {
  const { service, gate, clock, signal } = asking;
  const request = queryRequest(tool, asking);
  const { result } = await callWithRetries(
    service,
    'chat',
    request,
    { signal },
    { rule: defaultRetryRule, gate, clock },
  );
  if (!result.ok) return { ok: false, error: result.error };
  const { body, usage } = result.reply;
  const text = typeof body === 'string' ? body : mappingOf(body)['content'];
  const queries = typeof text === 'string' ? queriesIn(text) : [];
  const took = usage === undefined ? {} : { usage };
  if (queries.length === 0) return { ok: false, error: noQueries(tool, text), ...took };
  return { ok: true, queries: queries.slice(0, asking.count), ...took };
}

/** What is sent for a tool; it is all that the queries depend on. */
export function queryRequest(tool: DescribedTool, { model, count }: Pick<QueryAsking, 'model' | 'count'>): JsonObject {
  const instructions = `You write requests that people make of an assistant which has the tool that is documented below. Write ${count} different ones, each as one person would say it: with made-up names, dates and numbers where the tool needs them, without the name of the tool. Write them in the language of the documentation; where it has several, in each of them.`;
  const schema = {
    type: 'object',
    properties: { queries: { type: 'array', items: { type: 'string' } } },
    required: ['queries'],
    additionalProperties: false,
  };
  return {
    model,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: documentationOf(tool) },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'queries', strict: true, schema } },
  };
}

function documentationOf({ own, group, category, description, parameters }: DescribedTool): string {
  const names = Object.entries(mappingOf(parameters['properties'])).map(([name, schema]) => {
    const said = mappingOf(schema)['description'];
    return typeof said === 'string' ? `${name}: ${said}` : name;
  });
  const owner = [group, category].filter((one) => one !== '').join(', ');
  return [`${own}${owner === '' ? '' : ` (${owner})`}`, description, ...names].join('\n');
}

const answer = z.object({ queries: z.array(z.string()) });

function queriesIn(text: string): readonly string[] {
  try {
    const read = answer.safeParse(parseJson(text));
    return read.success ? [...new Set(read.data.queries.map((one) => one.trim()).filter((one) => one !== ''))] : [];
  } catch {
    return [];
  }
}

function noQueries({ own }: DescribedTool, said: unknown): NodeError {
  const shown = typeof said === 'string' ? `: ${said.slice(0, 100)}` : '';
  return { code: 'NoQueries', message: `the model wrote no queries for "${own}"${shown}`, retryable: true };
}
