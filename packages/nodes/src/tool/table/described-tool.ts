import type { JsonObject } from '@unroll/engine';
import { nameMistakes, schemaDoubts, schemaMistakes } from './check-definition.ts';
import type { Locate, Reading } from './table-reading.ts';
import {
  defaultMostBytes,
  defaultTimeoutMs,
  type ToolDefinition,
  type ToolEntry,
  type ToolExecutor,
} from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
import { uniqueToolNames } from './unique-tool-names.ts';

interface WrittenLimits {
  readonly timeout?: number | undefined;
  readonly max_bytes?: number | undefined;
}

/** Written limits in the units of a definition: milliseconds and bytes. */
export function limitsOf({ timeout, max_bytes: max }: WrittenLimits): Pick<ToolDefinition, 'timeoutMs' | 'maxBytes'> {
  return { timeoutMs: timeout === undefined ? defaultTimeoutMs : timeout * 1000, maxBytes: max ?? defaultMostBytes };
}

type Described = WrittenEntry<'code' | 'lambda' | 'return_control' | 'ends'>;

const noArguments: JsonObject = { type: 'object', properties: {} };

/** The tool an entry describes; none where its name or its schema is wrong. */
export function described(
  { name, description, effects, return_direct: returnDirect = false, ...rest }: Described,
  executor: ToolExecutor,
  locate: Locate,
  read: Reading,
  parameters: JsonObject = (rest.parameters as JsonObject | undefined) ?? noArguments,
): readonly ToolEntry[] {
  const tool: ToolDefinition = {
    name: executor.kind === 'lambda' ? (uniqueToolNames([name])[0] ?? name) : name,
    description,
    parameters,
    effects: effects ?? (executor.kind === 'lambda' ? 'writes' : 'reads'),
    returnDirect,
    ...limitsOf(rest),
    executor,
  };
  const wrong = [...nameMistakes(name, executor, locate), ...schemaMistakes(tool, locate)];
  read.diagnostics.push(...wrong, ...schemaDoubts(tool, locate));
  return wrong.length === 0 ? [{ kind: 'tool', tool }] : [];
}
