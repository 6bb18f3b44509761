import { type Diagnostic, didYouMean, type FlowFiles, type NodeDefinition } from '@unroll/engine';
import { toolExtensions } from './read-tools.ts';

/** Whether the catalogue that a node names is there. */
export function inspectCatalogue(
  node: NodeDefinition,
  path: string,
  files: FlowFiles,
): { readonly files: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  if (files.resolve(path) === undefined) {
    const message = `"${path}" leads out of the folder of the flow`;
    return { files: [], diagnostics: [mistake('FILE_OUTSIDE', message, node, 'catalogue')] };
  }
  if (files.read(path) !== undefined) return { files: [path], diagnostics: [] };
  const catalogues = files.list().filter((name) => ['.tools', ...toolExtensions].some((end) => name.endsWith(end)));
  const help = didYouMean(path, catalogues);
  const missing = mistake('FILE_MISSING', `there is no file "${path}" for node "${node.name}"`, node, 'catalogue');
  return { files: [], diagnostics: [help === undefined ? missing : { ...missing, help }] };
}

export function mistake(code: string, message: string, node: NodeDefinition, key: string): Diagnostic {
  const span = node.locate([key], 'value') ?? node.locate(['name'], 'value');
  return span === undefined ? { severity: 'error', code, message } : { severity: 'error', code, message, span };
}
