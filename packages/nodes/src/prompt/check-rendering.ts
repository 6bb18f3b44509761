import type { Diagnostic, NodeDefinition, Span } from '@unroll/engine';
import { TemplateError } from '@unroll/engine/template';
import { imageVariables } from './image-variables.ts';
import type { PromptTemplate } from './prompt-template.ts';

/** What is known of the renderings of a template before there is a row. */
export interface KnownRendering {
  /** Where all that the template reads is written in the flow. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function knownRendering({ file, template }: PromptTemplate, { inputs }: NodeDefinition): KnownRendering {
  // Some nodes leave null and empty texts out.
  const written = Object.entries(inputs).flatMap(([name, input]) =>
    input.kind === 'literal' && input.value !== null && input.value !== '' ? [[name, input.value] as const] : [],
  );
  const values = new Map(written);
  // An input may also take the place of a function of Jinja2's, as `range`, which is no variable.
  const read = [
    ...template.variables.map(({ name }) => name),
    ...Object.keys(inputs).filter((name) => file.text.includes(name)),
  ];
  if (!read.every((name) => values.has(name)) || imageVariables(file.text).size > 0)
    return { diagnostics: loadDiagnostics({ file, template }) };
  try {
    return { text: template.render(Object.fromEntries(written)), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { errorClass, message, place } = error.problem;
    const span = { file, ...place };
    if (template.loads.some(({ start }) => start === place.start)) return { diagnostics: [noLoader('error', span)] };
    const said = `the template cannot be rendered: ${errorClass}: ${message}`;
    return {
      diagnostics: [{ severity: 'error', code: 'TEMPLATE_SYNTAX', message: said, span, allowsRun: true }],
    };
  }
}

function loadDiagnostics({ file, template }: PromptTemplate): readonly Diagnostic[] {
  return template.loads.map(({ start, end, isReached }) =>
    noLoader(isReached ? 'error' : 'warning', { file, start, end }),
  );
}

/** Another template is never to be had: Jinja2 has no loader here, in Prompt flow either. */
function noLoader(severity: Diagnostic['severity'], span: Span): Diagnostic {
  return {
    severity,
    code: 'TEMPLATE_SYNTAX',
    message: 'TypeError: no loader for this environment specified',
    span,
    help: 'a template cannot load another one: write its text here, or give it as an input',
    allowsRun: true,
  };
}
