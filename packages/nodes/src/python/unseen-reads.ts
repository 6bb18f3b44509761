import type { Diagnostic, FlowFiles } from '@unroll/engine';
import { unseenImports } from '../code/unseen-imports.ts';
import { unseenModules } from './unseen-modules.ts';

/** Where code of a flow, in whatever language, gets at what a run cannot see. */
export function unseenReads(path: string, files: FlowFiles): readonly Diagnostic[] {
  if (/\.[cm]?[jt]s$/.test(path)) return unseenImports(path, files);
  return path.endsWith('.py') ? unseenModules(path, files) : [];
}
