import type { JsonValue } from '@unroll/engine';
import { compileJsonSchema, type SchemaCheck } from '@unroll/engine/json-schema';
import type { McpContent } from './mcp-content.ts';
import type { McpToolDescription } from './mcp-words.ts';

/**
 * Holds the answers of tools to the schemas that their server gives, as everywhere here: the official client's own check follows a
 * pattern for years, and knows the tools of the last page of a list alone. A schema is read when its tool first answers: a server
 * may give thousands, and wrong ones, of tools that nobody calls.
 */
export class AnswerSchemas {
  readonly #tools: ReadonlyMap<string, McpToolDescription>;
  readonly #checks = new Map<string, SchemaCheck>();

  constructor(tools: readonly McpToolDescription[]) {
    this.#tools = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
  }

  /** @throws Error for a tool whose calls are tasks */
  refuseTasks(name: string): void {
    if (this.#tools.get(name)?.needsTask !== true) return;
    throw new Error(`the tool ${name} is called as a task, which is not spoken here`);
  }

  /** @throws Error where the data are missing or do not fit. An error of the tool itself needs none */
  check(name: string, { isError, data }: McpContent): void {
    const schema = this.#tools.get(name)?.outputSchema;
    if (schema === undefined || (isError && data === undefined)) return;
    if (data === undefined) throw new Error(`the tool ${name} has a schema for its answers and answered no data`);
    const check = this.#checks.get(name) ?? compileJsonSchema(schema);
    this.#checks.set(name, check);
    const problems = check(data as JsonValue);
    if (problems.length === 0) return;
    const told = problems.map(({ path, message }) => `${path === '' ? 'it' : path} ${message}`).join('; ');
    throw new Error(`its answer does not fit the schema that it gives for it: ${told}`);
  }
}
