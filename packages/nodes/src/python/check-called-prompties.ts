import { basename } from 'node:path/posix';
import {
  type Diagnostic,
  type InspectedNode,
  type InstalledContext,
  readPrompty,
  type SourceFile,
} from '@unroll/engine';
import { moduleFiles } from './module-texts.ts';

/** Types of connections that Python code can ask by itself: a prompty that it calls is no node. */
const askable: readonly string[] = ['azure_open_ai', 'open_ai', 'serverless'];

/**
 * Prompties that Python code of the flow names and that fail when it calls them. Warnings, since the text does not tell whether
 * it does.
 */
export function checkCalledPrompties(
  nodes: readonly InspectedNode[],
  { files, connections }: Pick<InstalledContext, 'files' | 'connections'>,
): readonly Diagnostic[] {
  const paths = new Set(nodes.flatMap(({ inspection }) => inspection.files.filter((path) => path.endsWith('.py'))));
  const texts = new Set([...paths].flatMap((path) => moduleFiles(path, files).map(({ text }) => text)));
  const calling = [...texts].filter((text) => text.includes('Prompty'));
  if (calling.length === 0) return [];
  const named = files.list().filter((path) => path.endsWith('.prompty') && calling.some((text) => names(text, path)));
  return named.flatMap((path) => {
    const file = files.read(path);
    return file === undefined ? [] : mistakesOf(file, connections, files);
  });
}

function names(text: string, path: string): boolean {
  const name = basename(path);
  return [`"${name}"`, `'${name}'`, `/${name}"`, `/${name}'`].some((written) => text.includes(written));
}

function mistakesOf(
  file: SourceFile,
  connections: InstalledContext['connections'],
  files: InstalledContext['files'],
): readonly Diagnostic[] {
  const read = readPrompty(file, files);
  if (!read.ok) return read.diagnostics.map((one) => ({ ...one, severity: 'warning' }));
  const { connection: name } = read.prompty.configuration;
  const type = typeof name === 'string' ? connections.find(name)?.type : undefined;
  if (type === undefined || askable.includes(type)) return [];
  return [
    {
      severity: 'warning',
      code: 'CONNECTION_DOUBT',
      message: `Python code that calls this prompty cannot ask connection "${String(name)}" of type ${type}`,
      span: read.prompty.document.locate(['model', 'configuration', 'connection']) ?? { file, start: 0, end: 0 },
      help: `it asks ${askable.join(', ')}; as a node of its own, \`type: prompty\`, the prompty asks any`,
    },
  ];
}
