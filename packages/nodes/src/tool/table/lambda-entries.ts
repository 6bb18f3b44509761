import type { JsonObject } from '@unroll/engine';
import { mistake } from '../../errors/mistake-in-file.ts';
import { type ArgumentDefinition, argumentSchema, callTimeoutMs, responseLimit } from '../lambda/index.ts';
import { described } from './described-tool.ts';
import { readLambdaFiles } from './read-lambda-files.ts';
import { type Locate, type Reading, requireCode } from './table-reading.ts';
import type { ToolEntry, ToolExecutor } from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
/** A tool that is a user program on AWS Lambda, with its arguments. */
export function lambdaEntry(entry: WrittenEntry<'lambda'>, locate: Locate, read: Reading): readonly ToolEntry[] {
  const { lambda, args, handle = {}, ...rest } = entry;
  const { function: functionName, region, endpoint, connection, role_arn: role, local } = lambda;
  if (local !== undefined && !requireCode(local, locate(['lambda', 'local']), read)) return [];
  const executor: Extract<ToolExecutor, { kind: 'lambda' }> = {
    kind: 'lambda',
    target: present({ functionName, region, endpoint, connection, role, local }),
    lambda: present({
      name: entry.name,
      args,
      loggingArgsSchema: handle.logging_args_schema,
      raiseFunctionProcessingError: handle.raise_function_processing_error,
    }),
  };
  const limits = { timeout: rest.timeout ?? callTimeoutMs / 1000, max_bytes: rest.max_bytes ?? responseLimit };
  const schema = args === undefined ? undefined : lambdaSchema(executor.lambda.args ?? [], entry.name, locate, read);
  if (args !== undefined && schema === undefined) return [];
  return described({ ...rest, lambda, ...limits }, executor, locate, read, schema);
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its members that are undefined. */
function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}

function lambdaSchema(
  args: readonly ArgumentDefinition[],
  name: string,
  locate: Locate,
  read: Reading,
): JsonObject | undefined {
  const built = argumentSchema(args);
  if (built.ok) return built.schema;
  for (const { message, path, written } of built.problems) {
    const text = `argument "${path}" of tool "${name}": ${message}`;
    const span = locate(['args', ...written]) ?? locate(['args']) ?? locate(['name']);
    read.diagnostics.push(mistake('TOOL_PARAMETERS', text, span));
  }
  return undefined;
}

/** The tools of a folder of user-program definitions. */
export function lambdaFileEntries(
  entry: WrittenEntry<'lambda_files'>,
  locate: Locate,
  read: Reading,
): readonly ToolEntry[] {
  const { lambda_files: paths, use, connection, endpoint, local: folder } = entry;
  const found = readLambdaFiles(paths, locate(['lambda_files']), read.files);
  read.diagnostics.push(...found.diagnostics);
  for (const path of [paths.tools, paths.assistant]) read.seen.add(path);
  const names = found.tools.map(({ name }) => name);
  // Of files that cannot be read it cannot be told what they define.
  const isRead = found.diagnostics.length === 0;
  for (const name of (use ?? []).filter((one) => isRead && !names.includes(one))) {
    const message = `${paths.tools} defines no tool "${name}"`;
    read.diagnostics.push(mistake('TOOL_UNKNOWN', message, locate(['use'])));
  }
  const wanted =
    use === undefined ? found.tools : use.flatMap((name) => found.tools.filter((one) => one.name === name));
  return [...new Set(wanted)].flatMap((tool) => {
    const local = folder === undefined ? undefined : `${folder}/${localName(tool.functionName)}.ts`;
    const { functionName, region, roleArn } = tool;
    const place = { function: functionName, region, connection, endpoint, role_arn: roleArn, local };
    const handle = {
      logging_args_schema: tool.loggingArgsSchema,
      raise_function_processing_error: tool.raiseFunctionProcessingError,
    };
    const { name, description, args } = tool;
    const written = { name, description, lambda: place, args: [...args], handle };
    return lambdaEntry(written, tool.locate, read);
  });
}

/** The name in an ARN or `name:qualifier`. */
function localName(functionName: string): string {
  const [, inArn] = /:function:([^:]+)/.exec(functionName) ?? [];
  return inArn ?? functionName.replace(/:.*$/, '');
}
