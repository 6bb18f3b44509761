import type { Diagnostic, FlowFiles, NodeDefinition } from '@unroll/engine';
import { missingPath, missingSource, sourceMistake } from '../errors/source-mistakes.ts';

const codeEnding = /\.(?:[cm]?[jt]s|py)$/;

/** Sources that are no code, by what `prepareCodeNode` takes; a file that is not there is told elsewhere. */
export function checkSource(node: NodeDefinition, files: FlowFiles): readonly Diagnostic[] {
  const { source } = node;
  if (source === undefined) return [missingSource(node)];
  if (source.type !== 'code') {
    const message = `a python node cannot have a source of type "${source.type}"`;
    return [sourceMistake(node, message, 'write `type: code` with a path, or `type: package` with a tool', 'type')];
  }
  if (source.path === undefined) return [missingPath(node)];
  if (files.read(source.path) === undefined || codeEnding.test(source.path)) return [];
  const message = `"${source.path}" is no code file`;
  return [sourceMistake(node, message, 'it must end in .py, .ts, .mts, .js or .mjs', 'path')];
}
