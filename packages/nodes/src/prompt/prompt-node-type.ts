import {
  type Diagnostic,
  type JsonObject,
  type NodeCall,
  type NodeDefinition,
  type NodeOutcome,
  type NodeType,
  PrepareError,
} from '@unroll/engine';
import { nodeInputError } from '../errors/tool-error.ts';
import { knownRendering } from './check-rendering.ts';
import { namesIn } from './described-variables.ts';
import { renderGuarded, trustOf } from './guarded-text.ts';
import { withLiteralImages } from './literal-images.ts';
import { besidePrompt } from './prompt-results.ts';
import {
  openTemplate,
  type PromptTemplate,
  printsImages,
  renderError,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
  templateParts,
} from './prompt-template.ts';

/** `prompt`: a template filled with the node's inputs; the output is the text exactly as rendered. */
export const promptNodeType: NodeType = {
  name: 'prompt',
  version: 1,
  effects: 'pure',
  keys: [],
  inspect(node, files) {
    const opened = openTemplate(node, files);
    const shared = {
      takesAnyInput: true,
      fillsTemplate: true,
      printsImages,
      outputType: 'string',
      files: node.source?.path === undefined ? [] : [node.source.path],
    };
    if (!opened.ok) return { ...shared, diagnostics: templateDiagnostics(opened, node) };
    const { opened: template } = opened;
    return {
      ...shared,
      diagnostics: [...reservedMistakes(node, template), ...knownRendering(template, node).diagnostics],
      parameters: templateParameters(template),
    };
  },
  async prepare(node, context) {
    const opened = requireTemplate(node, context.files);
    refuseReserved(node, opened);
    const literals = await withLiteralImages(literalsOf(node), opened, context);
    const { file, template } = opened;
    const trust = trustOf(node, context.valuesOpenRoles);
    const run = (inputs: JsonObject, call: NodeCall): NodeOutcome => {
      try {
        const { text: marked, guard } = renderGuarded(template, file.text, inputs, trust, call);
        const text = marked.replaceAll(guard, '');
        return { ok: true, output: text, beside: besidePrompt({ marked, mark: guard }) };
      } catch (error) {
        return { ok: false, error: renderError(error, file) };
      }
    };
    let last: { readonly inputs: JsonObject; readonly outcome: NodeOutcome } | undefined;
    return {
      parametersWithDefault: new Set(),
      literals,
      givesBeside: true,
      looksInto: namesIn(file.text),
      parts: () => ({}),
      renderedParts: templateParts(node, opened),
      rendered(inputs, call) {
        const outcome = run(inputs, call);
        last = { inputs, outcome };
        return outcome.ok ? outcome.output : undefined;
      },
      renderProblem(inputs, call) {
        const outcome = run(inputs, call);
        return outcome.ok ? undefined : outcome.error;
      },
      run: (inputs, call) => (last?.inputs === inputs ? last.outcome : run(inputs, call)),
    };
  },
};

/** As written: null and "" are values like any other here. */
function literalsOf({ inputs }: NodeDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) => (input.kind === 'literal' ? [[name, input.value]] : [])),
  );
}

/** What `refuseReserved` refuses. */
function reservedMistakes({ name: unreadyNode }: NodeDefinition, { file, template }: PromptTemplate): Diagnostic[] {
  return template.variables.filter(isReserved).map(({ name, place: { start, end } }) => ({
    severity: 'error',
    code: 'FLOW_WRONG_VALUE',
    message: `the template reads "${name}", which tool "prompt" takes itself`,
    unreadyNode,
    span: { file, start, end },
    help: 'give the template another name for it',
  }));
}

function isReserved({ name }: { readonly name: string }): boolean {
  return name === 'template';
}

function refuseReserved({ name }: NodeDefinition, { template }: PromptTemplate): void {
  if (!template.variables.some(isReserved)) return;
  throw new PrepareError(
    nodeInputError(
      `Invalid inputs {'template'} in prompt template of node ${name}. These inputs are duplicated with the reserved parameters of prompt tool.`,
    ),
  );
}
