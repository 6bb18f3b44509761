import type { FlowSpec } from '../flow/flow-spec.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { placeOf } from '../source/source-file.ts';

/** A flow for tests, read from its text; a text with a mistake of shape fails the test. */
export function specOf(text: string): FlowSpec {
  const { spec, diagnostics } = parseFlow(
    { path: 'flows/my-flow/flow.dag.yaml', text },
    { nodeTypes: ['llm', 'python', 'prompt', 'lookup'] },
  );
  if (spec === undefined || diagnostics.length > 0) {
    throw new Error(`the flow of the test is wrong: ${diagnostics.map(({ message }) => message).join('; ')}`);
  }
  return spec;
}

/** `line:column CODE message | help` of each. */
export function toldBy(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, code, message, help, span }) => {
    const place = span === undefined ? undefined : placeOf(span.file, span.start);
    const where = place === undefined ? '-' : `${place.line}:${place.column}`;
    const weight = severity === 'warning' ? 'warning ' : '';
    return `${where} ${weight}${code} ${message}${help === undefined ? '' : ` | ${help}`}`;
  });
}
