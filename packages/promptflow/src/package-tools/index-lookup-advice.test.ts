import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkFlow, createFlowFiles } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { openWrittenFlow, runPromptFlowCase } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';

const tool = 'promptflow_vectordb.tool.common_index_lookup.search';
const flow = {
  outputs: { o: { type: 'string', reference: '${n.output}' } },
  nodes: [
    {
      name: 'n',
      type: 'python',
      source: { type: 'package', tool },
      inputs: { mlindex_content: 'index: {kind: faiss}', queries: 'refunds', query_type: 'Keyword', top_k: 2 },
    },
  ],
};

/** A package of the form of promptflow-vectordb 0.2.17: tools in YAML files, listed by an entry point; its index is a list. */
const installed = {
  'promptflow_vectordb/__init__.py': '',
  'promptflow_vectordb/tool/__init__.py': '',
  'promptflow_vectordb/tool/tools_manager.py':
    'import json\nfrom pathlib import Path\n\ndef list_package_tools():\n    return json.loads((Path(__file__).parent / "yamls/shared.json").read_text())\n',
  'promptflow_vectordb/tool/yamls/shared.json': JSON.stringify({
    [tool]: {
      name: 'Index Lookup',
      type: 'python',
      module: 'promptflow_vectordb.tool.common_index_lookup',
      function: 'search',
      inputs: {
        mlindex_content: { type: ['string'] },
        queries: { type: ['object'] },
        query_type: { type: ['string'] },
        top_k: { type: ['int'] },
      },
    },
  }),
  'promptflow_vectordb/tool/common_index_lookup.py':
    'from promptflow import tool\nfrom promptflow.exceptions import UserErrorException\nfrom promptflow.runtime.utils._utils import get_resource_management_scope\nfrom promptflow._internal import register_connections\nfrom promptflow.connections import CustomConnection\n\nclass PineconeConnection(CustomConnection):\n    pass\n\nregister_connections([PineconeConnection])\nfrom promptflow import connections\nassert connections.PineconeConnection is PineconeConnection and get_resource_management_scope().endswith("/.default")\n\n@tool\ndef search(mlindex_content: str, queries, query_type: str, top_k: int):\n    import json, os\n    assert json.loads(os.environ["BUILD_INFO"])["build_number"]\n    return [{"text": f"{queries} {query_type} {n}"} for n in range(top_k)]\n',
  'promptflow_vectordb-0.2.17.dist-info/METADATA':
    'Metadata-Version: 2.1\nName: promptflow-vectordb\nVersion: 0.2.17\n',
  'promptflow_vectordb-0.2.17.dist-info/entry_points.txt':
    '[package_tools]\npromptflow_vectordb_tools = promptflow_vectordb.tool.tools_manager:list_package_tools\n',
};

const connections = { find: () => undefined, names: () => [] };
const types = nodeTypes({ extensions: [promptFlow()] });

test('where promptflow-vectordb is installed its tools run', async () => {
  const { output, error, loadError } = await runPromptFlowCase(
    { name: 'lookup', flow, files: installed, inputs: {}, requests: [] },
    types,
  );
  expect({ output, error, loadError }).toEqual({
    output: [{ text: 'refunds Keyword 0' }, { text: 'refunds Keyword 1' }],
    error: undefined,
    loadError: undefined,
  });
});

/** Of the form of the package promptflow, whose parts other packages bring, and which lacks Azure's runtime. */
const realPromptFlow = {
  'promptflow/__init__.py':
    '__path__ = __import__("pkgutil").extend_path(__path__, __name__)\n\ndef tool(function):\n    return function\n',
  'promptflow/_core/__init__.py': '',
  'promptflow/exceptions.py': 'class UserErrorException(Exception):\n    pass\n',
  'promptflow/connections.py': 'class CustomConnection:\n    pass\n',
  'promptflow/_internal.py':
    'from promptflow import connections\n\ndef register_connections(classes):\n    for one in classes:\n        setattr(connections, one.__name__, one)\n',
};

test('and beside promptflow itself, which has no runtime of Azure', async () => {
  const files = { ...realPromptFlow, ...installed };
  const { output, loadError } = await runPromptFlowCase(
    { name: 'lookup', flow, files, inputs: {}, requests: [] },
    types,
  );
  expect({ output, loadError }).toMatchObject({ output: [{ text: 'refunds Keyword 0' }, {}], loadError: undefined });
});

test('where it is not, it is told how to have it, and what takes its place', async () => {
  const { loadError } = await runPromptFlowCase({ name: 'lookup', flow, files: {}, inputs: {}, requests: [] }, types);
  expect(loadError?.codes).toContain('PackageToolNotFoundError');
  expect(loadError?.message).toContain('pip install promptflow-vectordb');
  expect(loadError?.message).toContain('a node of type lookup');
});

test('where it cannot be imported it is not told to be missing', async () => {
  const path = 'promptflow_vectordb/tool/common_index_lookup.py';
  const files = { ...installed, [path]: `import faiss_that_is_missing\n${installed[path]}` };
  const { loadError } = await runPromptFlowCase({ name: 'lookup', flow, files, inputs: {}, requests: [] }, types);
  expect(loadError?.message).toContain(`Package tool '${tool}' is not found in the current environment.`);
});

const exported = `embeddings:
  connection: {id: /subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/connections/aoai}
  connection_type: workspace_connection
  kind: open_ai
index:
  connection:
    id: /subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/connections/search
  connection_type: "workspace_connection"
  kind: acs
`;

const wayOut =
  'run az login; or write `connection_type: environment` and `connection: {key: NAME}` in mlindex_content, with the key in the variable NAME; or use a node of type lookup over the documents (docs/package-tools.md)';

function lookupOver(content: string): typeof flow {
  const [node] = flow.nodes;
  if (node === undefined) throw new Error('bug: the flow has no node');
  return { ...flow, nodes: [{ ...node, inputs: { ...node.inputs, mlindex_content: content } }] };
}

test.for<readonly [string, string, readonly string[]]>([
  [
    'as Azure exports it',
    exported,
    [
      'node "n" asks an Azure workspace for the connections of its index (aoai, search); connections that are kept here are not asked',
    ],
  ],
  ['with keys in variables', exported.replaceAll(/"?workspace_connection"?/g, 'environment'), []],
])('an index %s: what check says of its connections', ([, content, messages]) => {
  const file = { path: 'flow.dag.yaml', text: JSON.stringify(lookupOver(content)) };
  const { diagnostics } = checkFlow(file, { nodeTypes: types, files: createFlowFiles('/none', '/none'), connections });
  expect(diagnostics.map(({ message }) => message)).toEqual(messages);
  for (const { severity, help, span } of diagnostics)
    expect([severity, help, span !== undefined]).toEqual(['warning', wayOut, true]);
});

test('where nobody is logged in to Azure the failure is one sentence, with the way out', async () => {
  const tried =
    'DefaultAzureCredential failed to retrieve a token from the included credentials.\\nAttempted credentials:\\n\\tEnvironmentCredential: unavailable';
  const folder = mkdtempSync(join(tmpdir(), 'unroll-lookup-'));
  const raises = `def search(mlindex_content, queries, query_type, top_k):\n    raise Exception("${tried}")\n`;
  const files = { ...installed, 'promptflow_vectordb/tool/common_index_lookup.py': raises };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    await using opened = await openWrittenFlow(JSON.stringify(lookupOver(exported)), folder);
    const { nodes } = await opened.runRow({});
    expect(nodes[0]?.error).toMatchObject({
      message: "node 'n' asks an Azure workspace for the connections of its index, and nobody is logged in to Azure",
      help: wayOut,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
