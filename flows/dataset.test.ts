import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, NodeRun, RunnableFlow } from '@unroll/engine';
import { connectionSource } from '@unroll/nodes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentFolder, openAgent, variants } from '../tests/privacy-agent/run-agent.ts';

interface DatasetRow {
  readonly query: string;
  readonly expected: {
    readonly first_function: string | null;
    /** The entry that must be among the hits of the FAQ, or of the guideline. */
    readonly faq_id: string | null;
    readonly guideline_id: string | null;
    /** The turn that answers, from 1. */
    readonly answered_at: number;
    readonly status: string;
    readonly outcome: 'faq' | 'guideline' | 'nothing_found' | 'no_search';
  };
}

const rows = readFileSync(join(agentFolder, 'data.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DatasetRow);

const nothingFound = /見つかりませんでした|was found in the sources/u;

describe.for(variants)('%s', (variant) => {
  let flow: RunnableFlow;
  beforeAll(async () => {
    flow = await openAgent(variant, {}, connectionSource({ folders: [], environment: {} }));
  });
  afterAll(() => flow[Symbol.asyncDispose]());

  test.for(rows)('$query', async ({ query, expected }) => {
    const { row, nodes } = await flow.runRow({ query });
    const [faq, guideline] = ['faq_search', 'guideline_search'].map((name) => hitsOf(nodes, name));
    const source = expected.faq_id ?? expected.guideline_id;
    expect({
      first_function: firstFunction(nodes),
      answered_at: turns(nodes),
      bypassed: nodes.filter(({ status }) => status === 'Bypassed').map(({ node }) => node),
      status: row.outputs['status'],
      found: expected.faq_id === null ? '' : faq?.find((id) => id === expected.faq_id),
      foundInGuideline: expected.guideline_id === null ? '' : guideline?.find((id) => id === expected.guideline_id),
      quotesSource: source === null || String(row.outputs['answer']).includes(source),
      saysNothingFound: nothingFound.test(String(row.outputs['answer'])),
    }).toEqual({
      first_function: expected.first_function,
      answered_at: expected.answered_at,
      bypassed: ['agent_1', 'agent_2', 'agent_3'].slice(expected.answered_at),
      status: expected.status,
      found: expected.faq_id ?? '',
      foundInGuideline: expected.guideline_id ?? '',
      quotesSource: true,
      saysNothingFound: expected.outcome === 'nothing_found',
    });
  });
});

test('the page of the knowledge tells how many entries there are', () => {
  const page = readFileSync(join(agentFolder, 'knowledge/README.md'), 'utf8');
  for (const [file, what] of [
    ['faq', 'questions and answers'],
    ['guideline', 'guideline sections'],
  ] as const) {
    const entries = readFileSync(join(agentFolder, `knowledge/${file}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    expect(page).toContain(`${entries.length} ${what}`);
  }
});

function firstFunction(nodes: readonly NodeRun[]): unknown {
  const message = nodes.find(({ node }) => node === 'agent_1')?.output as JsonObject;
  const [call] = (message['tool_calls'] ?? []) as readonly { readonly function: JsonObject }[];
  return call?.function['name'] ?? null;
}

function turns(nodes: readonly NodeRun[]): number {
  return nodes.filter(({ node, status }) => node.startsWith('agent_') && status === 'Completed').length;
}

/** Ids of the entries that a function gave, in any turn. */
function hitsOf(nodes: readonly NodeRun[], name: string): readonly string[] {
  const states = nodes.filter(({ node }) => node.startsWith('function_')).map(({ output }) => output as JsonObject);
  const results = states.flatMap((state) => (state['function_results'] ?? []) as readonly JsonObject[]);
  const texts = results.filter((result) => result['name'] === name).map(({ content }) => String(content));
  return texts.flatMap((text) => [...text.matchAll(/^\[([\w-]+)\]/gmu)].map(([, id = '']) => id));
}
