import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Diagnostic, didYouMean, type FlowFiles, type NodeDefinition, wayIntoFolder } from '@unroll/engine';
import { mistakeAtKey } from '../errors/mistake-at-key.ts';
import { CatalogueError } from './catalogue-file.ts';
import { openCatalogue } from './open-catalogue.ts';
import { toolExtensions } from './read-tools.ts';
import { checkRetriever, headBytes } from './retriever-file.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

export interface InspectedCatalogue {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined where it cannot be read. */
  readonly catalogue?: ToolCatalogue;
}

/** Whether the catalogue that a node names is there and can be read. */
export function inspectCatalogue(node: NodeDefinition, path: string, files: FlowFiles): InspectedCatalogue {
  const absent = absentFile(node, 'catalogue', path, files, ['.tools', ...toolExtensions]);
  if (absent !== undefined) return { files: [], diagnostics: [absent] };
  try {
    return { files: [path], diagnostics: [], catalogue: openCatalogue(files.resolve(path) ?? '', path).catalogue };
  } catch (error) {
    return { files: [path], diagnostics: unreadable(error, node, 'catalogue') };
  }
}

/** Whether the trained retriever that a node names is there and was trained on this catalogue, where that can be read. */
export function inspectRetriever(
  node: NodeDefinition,
  path: string,
  files: FlowFiles,
  catalogue: ToolCatalogue | undefined,
): readonly Diagnostic[] {
  const absent = absentFile(node, 'retriever', path, files, ['.model']);
  if (absent !== undefined) return [absent];
  if (catalogue === undefined) return [];
  try {
    const { beginning, size } = beginningOf(files.resolve(path) ?? '');
    checkRetriever(path, beginning, size, catalogue.tools);
    return [];
  } catch (error) {
    return unreadable(error, node, 'retriever');
  }
}

/** Retrievers have up to a gigabyte: all that is read here is how they begin. */
function beginningOf(path: string): { readonly beginning: Uint8Array; readonly size: number } {
  const file = openSync(path, 'r');
  try {
    const beginning = new Uint8Array(headBytes + 1);
    const count = readSync(file, beginning, 0, beginning.length, 0);
    return { beginning: beginning.subarray(0, count), size: fstatSync(file).size };
  } finally {
    closeSync(file);
  }
}

function absentFile(
  node: NodeDefinition,
  key: string,
  path: string,
  files: FlowFiles,
  endings: readonly string[],
): Diagnostic | undefined {
  if (files.resolve(path) === undefined) {
    const message = `"${path}" leads out of the folder of the flow`;
    return mistakeAtKey(node, key, { code: 'FILE_OUTSIDE', message, help: wayIntoFolder(path) });
  }
  if (files.read(path) !== undefined) return undefined;
  const help = didYouMean(
    path,
    files.list().filter((name) => endings.some((end) => name.endsWith(end))),
  );
  const message = `there is no file "${path}" for node "${node.name}"`;
  return mistakeAtKey(node, key, { code: 'FILE_MISSING', message, help });
}

/** Of a file with many mistakes the first; `flow tools info` tells all. */
function unreadable(error: unknown, node: NodeDefinition, key: string): readonly Diagnostic[] {
  if (!(error instanceof CatalogueError)) throw error;
  const [message = ''] = error.message.split('\n');
  return [mistakeAtKey(node, key, { code: 'TOOL_CATALOGUE', message })];
}
