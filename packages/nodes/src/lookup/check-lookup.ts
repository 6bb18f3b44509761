import type { ConnectionDoubt, ConnectionSource, Diagnostic, NodeDefinition } from '@unroll/engine';
import { mistakeAtKey } from '../errors/mistake-at-key.ts';
import { isIndexFile } from './open-index.ts';
import { readFilter } from './read-filter.ts';

/** What makes each row fail: a search by vectors where there are none, and literals that are no query and no filter. */
export function checkLookup(node: NodeDefinition): readonly Diagnostic[] {
  const { index, mode } = node.settings;
  const { query, filter } = node.inputs;
  const isService = (node.connection ?? '') !== '';
  const needsVectors = mode === 'vector' || mode === 'hybrid';
  const found: Diagnostic[] = [];
  if (needsVectors && !isService && typeof index === 'string' && index !== '' && !isIndexFile(index)) {
    const help = 'write mode: keyword, or name an index made by flow index build with --embedder';
    const message = `"${index}" holds no vectors to search by`;
    found.push(mistakeAtKey(node, 'mode', { code: 'FLOW_WRONG_VALUE', message, help }));
  }
  if (query?.kind === 'literal' && query.value !== null && typeof query.value !== 'string')
    found.push(atInput(node, 'query', 'the input "query" of a lookup node is a text'));
  const read =
    filter?.kind === 'literal' && filter.value !== null && filter.value !== '' ? readFilter(filter.value) : {};
  if (read !== undefined && 'problem' in read)
    found.push(atInput(node, 'filter', `the input "filter" of the lookup node: ${read.problem}`));
  return found.map((one) => ({ ...one, allowsRun: true }));
}

function atInput(node: NodeDefinition, name: string, message: string): Diagnostic {
  return { severity: 'error', code: 'FLOW_WRONG_VALUE', message, span: node.locate(['inputs', name]) };
}

/** By what `open-search-index.ts` takes. */
export function lookupConnectionDoubts(
  { connection: name = '' }: NodeDefinition,
  connections: ConnectionSource,
): readonly ConnectionDoubt[] {
  const connection = name === '' ? undefined : connections.find(name);
  if (connection === undefined || connection.type === 'cognitive_search') return [];
  return [
    {
      isCertain: true,
      message: `connection "${name}" is of type ${connection.type}, which has no indexes`,
      help: 'name one of type cognitive_search (Azure AI Search)',
      path: ['connection'],
    },
  ];
}
