import { type ParsedFlow, parseFlow } from '../flow/parse-flow.ts';
import { parsePrompty } from '../flow/parse-prompty.ts';
import { isPromptyPath } from '../flow/read-prompty.ts';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import { checkYamlEncoding } from './check-encoding.ts';
import { type ConnectionOverride, chosenBy } from './override-connections.ts';
import { parseFlex } from './parse-flex.ts';

export interface ParseDefinitionOptions {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly files: FlowFiles;
  readonly overrides?: readonly ConnectionOverride[];
}

/** Reads what defines a flow, in any of the forms there are; each becomes the same `FlowSpec`. */
export function parseDefinition(file: SourceFile, options: ParseDefinitionOptions): ParsedFlow {
  const { nodeTypes, files, overrides = [] } = options;
  const wrongEncoding = checkYamlEncoding(file);
  if (wrongEncoding.length > 0) return { diagnostics: wrongEncoding };
  if (isPromptyPath(file.path)) return parsePrompty(file, files, (node) => chosenBy(overrides, node));
  if (isFlex(file)) {
    const readEntry = (entry: string) => nodeTypes.get('flex')?.readEntry?.(entry, files);
    return withLanguage(file, parseFlex(file, { readEntry, files }));
  }
  return withLanguage(file, parseFlow(file, { nodeTypes: [...nodeTypes.values()] }));
}

/** By its name, or for any other name by its `entry`. */
function isFlex({ path, text }: SourceFile): boolean {
  return /(^|[\\/])flow\.flex\.ya?ml$/.test(path) || /^entry[ \t]*:/m.test(text);
}

/** A flow in C# has one mistake here: its language. */
function withLanguage(file: SourceFile, parsed: ParsedFlow): ParsedFlow {
  const written = /^language[ \t]*:[ \t]*["']?(csharp|c#)["']?[ \t]*(?:#.*)?$/im.exec(file.text);
  if (written === null) return parsed;
  return {
    diagnostics: [
      {
        severity: 'error',
        code: 'FLOW_LANGUAGE',
        message: 'flows in C# do not run here: their nodes need .NET',
        span: { file, start: written.index, end: written.index + written[0].length },
        help: 'write the nodes in Python, TypeScript or JavaScript, or call the .NET service from such a node',
        ...notSupported(parsed),
      },
    ],
  };
}

/** The first node in it. */
function notSupported({ spec }: ParsedFlow): Pick<Diagnostic, 'unreadyNode' | 'details'> {
  const node = spec?.nodes.find(({ type }) => type === 'csharp')?.name;
  if (node === undefined) return {};
  return { unreadyNode: node, details: { kind: 'node-type-not-run', node, type: 'csharp' } };
}
