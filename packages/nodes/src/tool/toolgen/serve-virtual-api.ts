import { expectedSentence, isMapping, type JsonObject, type JsonValue, jsonIn, meantIssues } from '@unroll/engine';
import * as z from 'zod';
import type { CatalogueTool } from '../../tool-catalogue/catalogue-tool.ts';
import { standardize, unreserved } from './standard-name.ts';
import { keyOf, type RecordedAnswer, type RecordedAnswers, recordedAnswer } from './virtual-api.ts';

/** What a virtual API server answers from. */
export interface VirtualApis {
  /** The API that a request names: in its own words, or as ToolBench standardises them. */
  find(request: Pick<VirtualApiRequest, 'category' | 'tool_name' | 'api_name'>): CatalogueTool | undefined;
  readonly recorded: RecordedAnswers;
  /** Answers what was not recorded; without it such a call is an error. */
  readonly simulate?: (call: SimulatedCall) => Promise<Simulated>;
}

export interface Simulated {
  readonly answer: JsonObject;
  /** What failed may not fail the next time: it is sent back, and not recorded. */
  readonly hasFailed: boolean;
}

export interface SimulatedCall {
  readonly tool: CatalogueTool;
  readonly input: JsonObject;
}

/** What is sent back, and what is worth recording of it. */
export interface VirtualApiReply {
  readonly status: number;
  readonly body: JsonObject;
  readonly simulated?: RecordedAnswer;
}

const requestSchema = z.object({
  category: z.string(),
  tool_name: z.string(),
  api_name: z.string(),
  // A record of zod's leaves out a member that is called `__proto__`.
  tool_input: z.custom<string | JsonObject>(isInput, 'must be a text or a mapping'),
  strip: z.string(),
  toolbench_key: z.string(),
});

type VirtualApiRequest = z.infer<typeof requestSchema>;

/**
 * Answers one request of StableToolBench's contract. A body of another form is refused with 422, as its server does; all
 * else is 200 with `{error, response}`.
 *
 * @param body text of the request
 */
export async function answerVirtualApi(body: string, apis: VirtualApis): Promise<VirtualApiReply> {
  const request = requestSchema.safeParse(jsonIn(body) ?? null, { error: expectedSentence });
  if (!request.success) {
    const detail = request.error.issues.flatMap(meantIssues).map(({ path, message }) => ({
      loc: ['body', ...path.map(String)],
      msg: message,
    }));
    return { status: 422, body: { detail } as unknown as JsonObject };
  }
  const { tool_input: written } = request.data;
  const input = typeof written === 'string' ? jsonIn(written === '' ? '{}' : written) : written;
  if (!isMapping(input)) return failed('Tool input parse error...\n');
  const tool = apis.find(request.data);
  if (tool === undefined) return failed('API does not exist...');
  const asked = { category: tool.category, tool_name: tool.group, api_name: tool.own, tool_input: input };
  const known = recordedAnswer(asked, apis.recorded);
  if (known !== undefined) return { status: 200, body: known };
  if (apis.simulate === undefined) return failed('API not working error...');
  const { answer, hasFailed } = await apis.simulate({ tool, input });
  return { status: 200, body: answer, ...(hasFailed ? {} : { simulated: { ...asked, answer } }) };
}

function isInput(value: unknown): boolean {
  return typeof value === 'string' || isMapping(value as JsonValue);
}

/** Asks a simulator once for calls that are the same and come while it answers the first. */
export function simulateOnce(simulate: NonNullable<VirtualApis['simulate']>): NonNullable<VirtualApis['simulate']> {
  const underWay = new Map<string, Promise<Simulated>>();
  return (call) => {
    const { category, group, own } = call.tool;
    const key = keyOf({ category, tool_name: group, api_name: own, tool_input: call.input });
    const begun = underWay.get(key) ?? simulate(call).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

/**
 * Finds APIs by category, tool and name, each as it is written or as ToolBench standardises it. Of several that are one when
 * they are standardised the one that is written so is meant, and else the first (`sharedPlaces`).
 */
export function findApi(tools: readonly CatalogueTool[]): VirtualApis['find'] {
  const written = new Map(tools.map((tool) => [JSON.stringify([tool.category, tool.group, tool.own]), tool]));
  const byPlace = Map.groupBy(tools, placeOfTool);
  return ({ category, tool_name: name, api_name: api }) => {
    const exact = written.get(JSON.stringify([category, name, api]));
    if (exact !== undefined) return exact;
    const owner = withoutSuffix(name, `_for_${standardize(category)}`);
    return byPlace.get(placeKey(category, owner, withoutSuffix(api, `_for_${standardize(owner)}`)))?.[0];
  };
}

/** The APIs that are one when they are standardised, together. */
export function sharedPlaces(tools: readonly CatalogueTool[]): readonly (readonly CatalogueTool[])[] {
  return [...Map.groupBy(tools, placeOfTool).values()].filter(({ length }) => length > 1);
}

function placeOfTool({ category, group, own }: CatalogueTool): string {
  return placeKey(category, group, own);
}

function placeKey(category: string, tool: string, api: string): string {
  const name = standardize(api);
  return JSON.stringify([standardize(category), standardize(tool), unreserved(name)]);
}

/** `tool_for_category`, `api_for_tool`: as ToolBench joins them, in any letters. */
function withoutSuffix(name: string, suffix: string): string {
  return name.toLowerCase().endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function failed(error: string): VirtualApiReply {
  return { status: 200, body: { error, response: '' } };
}
