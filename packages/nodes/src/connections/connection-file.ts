import {
  type Diagnostic,
  formatDiagnostics,
  isMapping,
  type JsonObject,
  parseYaml,
  placeOf,
  readNamedFile,
  refusalOf,
  type SourceFile,
  type Span,
} from '@unroll/engine';
import { checkConnection } from './check-connection.ts';
import { ConnectionFileError } from './connection-file-error.ts';
import { maskedSource } from './masked-source.ts';

/** One connection of a file. */
export interface FileConnection {
  readonly name: string;
  /** As they are written; empty where the entry is no mapping. */
  readonly fields: JsonObject;
  /** What is doubtful in it; it can be used all the same. */
  readonly doubts: readonly Diagnostic[];
  /** Why it cannot be used, with every mistake of the file. */
  readonly error?: ConnectionFileError;
}

/**
 * The connections a YAML file writes: a mapping of them by name, or Prompt flow's file of one (`name` and `type` at its top).
 * An entry that is wrong is no bar to the others. No value of one is told, but that of `type`.
 *
 * @param shown the path in messages
 * @throws ConnectionFileError when the file cannot be read
 */
export function readConnectionFile(path: string, shown: string = path): readonly FileConnection[] {
  const file = { path: shown, text: fileText(path, shown) };
  const { value, diagnostics, locate } = parseYaml(file);
  if (value === undefined) {
    const help = diagnostics.find((one) => one.help !== undefined)?.help;
    throw new ConnectionFileError(diagnostics.map((one) => withoutText(one, file)).join('\n'), help);
  }
  // Empty, or all of it a comment.
  if (value === null) return [];
  const masked = maskedSource(file, value, locate);
  const isOne = isMapping(value) && ['name', 'type'].some((key) => typeof value[key] === 'string');
  if (!isMapping(value)) throw new ConnectionFileError(`${shown} is no mapping of names to connections`);
  const entries = isOne ? [[String(value['name'] ?? 'default'), value] as const] : Object.entries(value);
  const checked = entries.map(([name, fields]) => ({
    name,
    fields: isMapping(fields) ? fields : {},
    mistakes: checkConnection(name, fields, (keys, part) => locate(isOne ? keys : [name, ...keys], part)),
  }));
  const all = [...diagnostics, ...checked.flatMap(({ mistakes }) => mistakes)].map((one) => inSource(one, masked));
  if (diagnostics.some(isError)) throw new ConnectionFileError(formatDiagnostics(all));
  return checked.map(({ name, fields, mistakes }) => {
    const [first] = mistakes.filter(isError);
    const doubts = mistakes.filter((one) => !isError(one)).map((one) => inSource(one, masked));
    if (first === undefined) return { name, fields, doubts };
    const message = `connection "${name}" cannot be used:\n${formatDiagnostics(all)}`;
    return { name, fields, doubts, error: new ConnectionFileError(message, undefined, briefly(first)) };
  });
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function fileText(path: string, shown: string): string {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw new ConnectionFileError(`${shown} cannot be read: ${refusalOf(error) ?? (error as Error).message}`);
  }
}

/** Of a text that cannot be parsed nobody knows what in it is a secret: none of it is told. */
function withoutText({ message, span }: Diagnostic, file: SourceFile): string {
  const { line, column } = placeOf(file, span?.start ?? 0);
  return `${file.path}:${line}:${column} cannot be read: ${message.replaceAll(/"[^"]*"/g, '"…"')}`;
}

function inSource({ notes: _, ...diagnostic }: Diagnostic, file: SourceFile): Diagnostic {
  const { span } = diagnostic;
  const placed: Span | undefined = span === undefined ? undefined : { ...span, file };
  return { ...diagnostic, code: 'CONNECTION_FILE', ...(placed === undefined ? {} : { span: placed }) };
}

function briefly({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}: ${help}`;
}
