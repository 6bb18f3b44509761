import { type Diagnostic, type FlowFiles, isMapping, type JsonValue, parseYaml, type Span } from '@unroll/engine';
import { missingFile, mistake, nearestPlace, type Path } from '../../errors/mistake-in-file.ts';

/** A list of tools as it is written, with the place of each part of it. */
export interface WrittenTools {
  readonly entries: readonly JsonValue[];
  /** Path into the list: `[2, 'parameters']`. */
  locate(path: Path, part?: 'key' | 'value'): Span | undefined;
}

export interface FoundTools {
  /** Absent where there is no list to read. */
  readonly written?: WrittenTools;
  readonly diagnostics: readonly Diagnostic[];
  /** File the list stands in, relative to the flow's folder. */
  readonly file?: string;
}

/** What of a node is looked at. */
export interface ToolOwner {
  readonly name: string;
  readonly settings: Readonly<Record<string, JsonValue>>;
  locate(path: Path, part?: 'key' | 'value'): Span | undefined;
}

/** The tools of a node: a list under its key `tools`, or the path of a YAML or JSON file that holds one. */
export function findTools(node: ToolOwner, files: Pick<FlowFiles, 'read' | 'list' | 'resolve'>): FoundTools {
  const { tools = [] } = node.settings;
  const locate: WrittenTools['locate'] = (path, part) =>
    nearestPlace((way, one) => node.locate(['tools', ...way], one), path, part) ??
    node.locate(['tools'], 'key') ??
    node.locate(['name']);
  if (typeof tools === 'string') return readToolFile(tools, locate([]), files);
  if (Array.isArray(tools)) return { written: { entries: tools as readonly JsonValue[], locate }, diagnostics: [] };
  const message = `the tools of node "${node.name}" must be a list, or the path of a YAML file that holds one`;
  return { diagnostics: [mistake('FLOW_WRONG_VALUE', message, locate([]))] };
}

function readToolFile(
  path: string,
  span: Span | undefined,
  files: Pick<FlowFiles, 'read' | 'list' | 'resolve'>,
): FoundTools {
  const file = files.read(path);
  if (file === undefined) return { diagnostics: [missingFile(path, span, files)] };
  const { value, diagnostics, locate } = parseYaml(file);
  if (value === undefined) return { diagnostics, file: path };
  const isKeyed = isMapping(value) && Array.isArray(value['tools']);
  const entries = isKeyed ? value['tools'] : value;
  if (!Array.isArray(entries)) {
    const message = `${path} holds no list of tools`;
    const wrong = mistake('FLOW_WRONG_VALUE', message, span, 'write `tools:` and below it one entry a tool');
    return { diagnostics: [...diagnostics, wrong], file: path };
  }
  const start = isKeyed ? ['tools'] : [];
  const place: WrittenTools['locate'] = (path, part) =>
    nearestPlace((way, one) => locate([...start, ...way], one), path, part) ?? locate(start);
  return { written: { entries: entries as readonly JsonValue[], locate: place }, diagnostics, file: path };
}
