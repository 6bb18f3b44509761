import type { SourceFile } from '../source/source-file.ts';
import { type ParsedFlow, type ParseFlowOptions, parseFlow } from './parse-flow.ts';
import { parsePrompty } from './parse-prompty.ts';

/** Reads what defines a flow, in any of the forms there are; each becomes the same `FlowSpec`. */
export function parseDefinition(file: SourceFile, options: ParseFlowOptions): ParsedFlow {
  if (file.path.endsWith('.prompty')) return parsePrompty(file);
  return parseFlow(file, options);
}
