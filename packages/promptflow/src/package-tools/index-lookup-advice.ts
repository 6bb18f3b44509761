import { type Diagnostic, type NodeDefinition, type NodeOutcome, PrepareError } from '@unroll/engine';
import { userError } from '@unroll/nodes/building-blocks';

const vectorPackage = 'promptflow_vectordb.';

/** What to do where the package that asks indexes of Azure is not installed; any other failure stays what it is. */
export function withLookupAdvice(error: unknown, { name, source }: NodeDefinition): unknown {
  const { tool = '' } = source ?? {};
  const isLookup = tool.startsWith(vectorPackage);
  if (!isLookup || !(error instanceof PrepareError) || error.error.code !== 'PackageToolNotFoundError') return error;
  // It is installed, and why it cannot be imported says more.
  if (error.error.cause !== undefined) return error;
  const message = `Package tool '${tool}' of node '${name}' is in a package that is not installed: pip install promptflow-vectordb, or list it in requirements.txt and run flow python setup. Or put the documents in a folder of the flow and use a node of type lookup (index: <folder>, top_k: <n>; its input is query); see docs/lookup.md`;
  return new PrepareError(userError('PackageToolNotFoundError', message));
}

/** An index as Azure exports it leads to connections that a workspace has: whoever runs the flow must be logged in there. */
export function workspaceDoubts(node: NodeDefinition): readonly Diagnostic[] {
  const names = workspaceConnections(node);
  if (names === undefined) return [];
  const which = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return [
    {
      severity: 'warning',
      code: 'CONNECTION_DOUBT',
      message: `node "${node.name}" asks an Azure workspace for the connections of its index${which}; connections that are kept here are not asked`,
      span: node.locate(['inputs', 'mlindex_content']),
      help: wayOut,
    },
  ];
}

/** One sentence in the place of all that Azure's library tried, where nobody is logged in. */
export function withLoginAdvice(outcome: NodeOutcome, node: NodeDefinition): NodeOutcome {
  if (outcome.ok || !noLogin.test(outcome.error.message)) return outcome;
  const names = workspaceConnections(node);
  if (names === undefined) return outcome;
  const message = `node '${node.name}' asks an Azure workspace for the connections of its index, and nobody is logged in to Azure`;
  return { ...outcome, error: { ...outcome.error, message, help: wayOut, retryable: false } };
}

const noLogin = /DefaultAzureCredential failed to retrieve a token/;
const wayOut =
  'run az login; or write `connection_type: environment` and `connection: {key: NAME}` in mlindex_content, with the key in the variable NAME; or use a node of type lookup over the documents (docs/package-tools.md)';

/** Names of the connections of a workspace that the index of a lookup node leads to; undefined where it leads to none. */
function workspaceConnections({ source, inputs }: NodeDefinition): readonly string[] | undefined {
  const content = inputs['mlindex_content'];
  if (source?.tool?.startsWith(vectorPackage) !== true || content?.kind !== 'literal') return undefined;
  const text = typeof content.value === 'string' ? content.value : '';
  if (!/connection_type["']?\s*:\s*["']?workspace_connection\b/.test(text)) return undefined;
  return [...new Set([...text.matchAll(/\/connections\/([^\s"',}]+)/g)].map(([, name = '']) => name))];
}
