import type { Diagnostic, FlowFiles } from '@unroll/engine';
import { missingFile, mistake, type Path } from '../../errors/mistake-in-file.ts';
import type { ToolEntry } from './tool-definition.ts';
import type { WrittenTools } from './written-tools.ts';

export type Files = Pick<FlowFiles, 'read' | 'list' | 'resolve'>;

/** What reading the entries of a table shares. */
export interface Reading {
  readonly files: Files;
  readonly diagnostics: Diagnostic[];
  readonly seen: Set<string>;
}

/** An entry and its place among the written ones. */
export interface PlacedEntry {
  readonly entry: ToolEntry;
  readonly index: number;
}

export type Locate = (path: Path, part?: 'key' | 'value') => ReturnType<WrittenTools['locate']>;

const codeEnding = /\.(?:[cm]?[jt]s|py)$/;

/** Whether the file is there and is code; tells the mistake otherwise. */
export function requireCode(path: string, span: ReturnType<Locate>, read: Reading): boolean {
  if (read.files.read(path) === undefined) {
    read.diagnostics.push(missingFile(path, span, read.files));
    return false;
  }
  if (codeEnding.test(path)) return true;
  read.diagnostics.push(mistake('FLOW_WRONG_VALUE', `"${path}" is no code file; it must end in .py, .ts or .js`, span));
  return false;
}
