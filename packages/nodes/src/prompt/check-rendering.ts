import type { Diagnostic, NodeDefinition, SourceFile, Span } from '@unroll/engine';
import { TemplateError, type TemplateProblem } from '@unroll/engine/template';
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
  const loads = loadDiagnostics({ file, template });
  if (imageVariables(file.text).size > 0) return { diagnostics: loads };
  if (!read.every((name) => values.has(name))) {
    const unknown = new Set(Object.keys(inputs).filter((name) => !values.has(name)));
    const failures = template.failures({ values: Object.fromEntries(written), unknown });
    return { diagnostics: [...loads, ...failures.map((problem) => cannotRender(problem, file))] };
  }
  try {
    return { text: template.render(Object.fromEntries(written)), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { place } = error.problem;
    const isLoad = template.loads.some(({ start }) => start === place.start);
    return { diagnostics: [isLoad ? noLoader('error', { file, ...place }) : cannotRender(error.problem, file)] };
  }
}

function cannotRender({ errorClass, message, place }: TemplateProblem, file: SourceFile): Diagnostic {
  const said = `the template cannot be rendered: ${errorClass}: ${message}`;
  return { severity: 'error', code: 'TEMPLATE_SYNTAX', message: said, span: { file, ...place }, allowsRun: true };
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
