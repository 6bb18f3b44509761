import type { FlowFiles } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { meantText, nearestName } from '../source/nearest-name.ts';
import { wayIntoFolder } from '../source/outside-folder.ts';
import { checkEncoding } from './check-encoding.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** Source files that do not exist, that lie outside the flow's folder, and templates that are no text. */
export function checkFiles(nodes: readonly CheckedNode[], files: FlowFiles): readonly Diagnostic[] {
  return nodes.flatMap((node) => {
    const path = node.definition.source?.path;
    if (path === undefined) return [];
    if (files.resolve(path) === undefined) return [outside(node, path)];
    const file = files.read(path);
    if (file === undefined) return [missing(node, path, files)];
    // A Python file may name its own encoding.
    return node.inspection.fillsTemplate === true ? checkEncoding(file) : [];
  });
}

function outside(node: CheckedNode, path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'FILE_OUTSIDE',
    message: `"${path}" leads out of the folder of the flow`,
    span: placeInNode(node, ['source', 'path']),
    help: wayIntoFolder(path),
    ...notFound(node, path),
  };
}

function missing(node: CheckedNode, path: string, files: FlowFiles): Diagnostic {
  const near = nearestFile(path, files.list());
  return {
    severity: 'error',
    code: 'FILE_MISSING',
    message: `there is no file "${path}" for node "${shownName(node)}"`,
    span: placeInNode(node, ['source', 'path']),
    help: near === undefined ? undefined : meantText(path, near),
    ...notFound(node, path),
  };
}

function notFound({ spec, inspection }: CheckedNode, path: string): Pick<Diagnostic, 'unreadyNode' | 'details'> {
  const { name } = spec;
  const isTemplate = inspection.fillsTemplate === true;
  return { unreadyNode: name, details: { kind: 'file-missing', node: name, path, isTemplate } };
}

/** The existing file that was meant: the same name elsewhere, or a near name. What has the very name is no file that can be read. */
export function nearestFile(path: string, existing: readonly string[]): string | undefined {
  const wanted = baseName(path);
  const elsewhere = existing.find((candidate) => candidate !== path && baseName(candidate) === wanted);
  if (elsewhere !== undefined) return elsewhere;
  const near = nearestName(path, existing);
  if (near !== undefined) return near;
  const nearBase = nearestName(wanted, existing.map(baseName));
  return existing.find((candidate) => baseName(candidate) === nearBase);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
