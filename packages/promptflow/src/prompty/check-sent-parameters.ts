import { type Diagnostic, type Prompty, stringifyJson } from '@unroll/engine';
import { wrongKind } from '@unroll/nodes/building-blocks';

/** Parameters are sent as they are written: a text where the service takes a number makes it refuse the request. */
export function checkSentParameters({ parameters, document }: Prompty): readonly Diagnostic[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    // What stands in a variable is not known here.
    const isReference = typeof value === 'string' && value.includes('${');
    const wrong = isReference ? undefined : wrongKind(name, value);
    if (wrong === undefined) return [];
    return [
      {
        severity: 'warning',
        code: 'MODEL_PARAMETER',
        message: `${name} is ${stringifyJson(value)}, and a service takes ${wrong.expected}`,
        span: document.locate(['model', 'parameters', name]),
        help: wrong.help,
      },
    ];
  });
}
