import type { Diagnostic, FlowFiles, FlowSpec, NodeSpec } from '@unroll/engine';

/** The types of nodes that Prompt flow has. */
const types = new Set(['llm', 'prompt', 'python', 'custom_llm']);
/** Of files that are flows by themselves, here and there. */
const wholeTypes = new Set(['flex', 'prompty']);
const ends = new Set(['unroll.loop_end']);

/** Nodes that Prompt flow cannot run, each with why: of a loop the first alone. */
export function cannotGo(spec: FlowSpec, files: FlowFiles, takenNames: readonly string[]): readonly Diagnostic[] {
  const whole = spec.nodes.find(({ type }) => wholeTypes.has(type));
  if (whole !== undefined) return [needsNothing(spec, whole)];
  const seen = new Set<string>();
  const nodes = spec.nodes.flatMap((node) => {
    const why = whyNot(node);
    const place = JSON.stringify(node.path);
    if (why === undefined || seen.has(place)) return [];
    seen.add(place);
    return [refusal(spec, node, why)];
  });
  const taken = takenNames.filter((name) => files.read(name) !== undefined);
  return [...nodes, ...taken.map((name) => nameTaken(name))];
}

interface Why {
  readonly message: string;
  readonly help: string;
}

function whyNot({ type, source, feedBack, settings, api }: NodeSpec): Why | undefined {
  if (!types.has(type)) {
    return {
      message: `is of type ${type}, which Prompt flow does not have`,
      help: 'write what it does as a Python node',
    };
  }
  const { path, tool } = source ?? {};
  if (type === 'python' && path !== undefined && !path.endsWith('.py')) {
    return { message: `runs ${path}, and Prompt flow runs Python alone`, help: 'write it in Python' };
  }
  if (feedBack !== undefined && tool !== undefined) {
    return {
      message: `feeds errors of the package tool ${tool} back, which needs a Python file`,
      help: 'call the tool in a Python node',
    };
  }
  if (tool?.startsWith('unroll.') === true && !ends.has(tool)) {
    return { message: `is the tool ${tool}, which is ours`, help: 'write what it does as a Python node' };
  }
  if (api === 'responses') {
    return { message: 'asks through the Responses API, which Prompt flow does not know', help: 'write api: chat' };
  }
  if (type === 'llm' && api === 'embedding') {
    const help = 'make it a python node of the package tool promptflow.tools.embedding.embedding';
    return { message: 'asks for an embedding, which an llm node of Prompt flow cannot', help };
  }
  const ours = ['messages_from', 'returns'].find((key) => settings[key] !== undefined);
  if (ours === undefined) return undefined;
  return {
    message: `has the key ${ours}, which Prompt flow does not know`,
    help: 'write what it does as a Python node',
  };
}

function refusal({ locate }: FlowSpec, { name, instance, path }: NodeSpec, { message, help }: Why): Diagnostic {
  return {
    severity: 'error',
    code: 'PROMPT_FLOW_CANNOT',
    message: `node "${instance?.family ?? name}" ${message}`,
    span: locate([...path, 'name'], 'value') ?? locate(path, 'value'),
    help,
  };
}

function needsNothing({ file, locate }: FlowSpec, { path }: NodeSpec): Diagnostic {
  return {
    severity: 'error',
    code: 'PROMPT_FLOW_CANNOT',
    message: `Prompt flow runs ${file.path} as it is: there is nothing to lay out`,
    span: locate(path, 'value'),
    help: 'pf flow test --flow, with the same file or its folder',
  };
}

function nameTaken(name: string): Diagnostic {
  return {
    severity: 'error',
    code: 'PROMPT_FLOW_CANNOT',
    message: `the flow has a file ${name}, and so has what is written for Prompt flow`,
    help: 'rename it',
  };
}
