import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { depthMessage, expectedSentence, isTooDeep, type JsonObject } from '@unroll/engine';
import * as z from 'zod';
import { type McpToolDescription, unfitMember } from './mcp-words.ts';

/** Of a list of tools. */
const maxPages = 1000;
const maxTools = 100_000;

/** What a server lists. */
export interface ListedTools {
  readonly tools: readonly McpToolDescription[];
  /** Why others cannot be used, by their names: they are no bar to the rest. */
  readonly unusable: ReadonlyMap<string, string>;
}

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** In JSON Schema true and false are schemas too; the official client knows none but mappings. */
const schema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.union([z.boolean(), z.looseObject({})])).optional(),
  required: z.array(z.string()).optional(),
});
const listedTool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: schema,
  outputSchema: schema.optional(),
  annotations: z.looseObject({ title: z.string().optional(), readOnlyHint: z.boolean().optional() }).optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
});

/**
 * All pages of the list of tools.
 *
 * @throws Error where it has no end, or is none
 */
export async function listAllTools(client: Client, options: AskOptions): Promise<ListedTools> {
  const tools: McpToolDescription[] = [];
  const unusable = new Map<string, string>();
  for await (const tool of eachTool(client, options)) {
    const read = readTool(tool);
    if ('problem' in read) unusable.set(read.name, read.problem);
    else tools.push(read);
  }
  return { tools, unusable };
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

async function* eachTool(client: Client, options: AskOptions): AsyncGenerator<unknown, void> {
  const cursors = new Set<string | undefined>();
  let count = 0;
  let cursor: string | undefined;
  do {
    if (cursors.has(cursor)) throw new Error('its list of tools has no end: it names a page that it gave before');
    cursors.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, page, options);
    count += tools.length;
    if (cursors.size > maxPages || count > maxTools) {
      throw new Error(`its list of tools has more than ${maxPages} pages or ${maxTools} tools`);
    }
    yield* tools;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function readTool(tool: unknown): McpToolDescription | { readonly name: string; readonly problem: string } {
  const named = String((tool as { readonly name?: unknown } | null)?.name ?? '');
  if (isTooDeep(tool)) return { name: named, problem: depthMessage() };
  const read = listedTool.safeParse(tool, { error: expectedSentence });
  if (!read.success) return { name: named, problem: unfitMember(read.error) ?? 'described by no JSON Schema' };
  const { name, description, inputSchema, outputSchema, annotations, execution } = read.data;
  return {
    name,
    description: description ?? annotations?.title ?? name,
    inputSchema: inputSchema as unknown as JsonObject,
    isReadOnly: annotations?.readOnlyHint === true,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as unknown as JsonObject }),
    ...(execution?.taskSupport === 'required' ? { needsTask: true } : {}),
  };
}
