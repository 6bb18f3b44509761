import { type Diagnostic, type Prompty, stringifyJson } from '@unroll/engine';
import { misspeltInSchemas, refusedOffer, wrongKind } from '@unroll/nodes/building-blocks';
import { offeredOf } from './offered-tools.ts';
import { sentParameters } from './prompty-request.ts';

/** Parameters are sent as they are written: a text where the service takes a number makes it refuse the request. */
export function checkSentParameters(prompty: Prompty): readonly Diagnostic[] {
  return [...wrongKinds(prompty), ...wrongKeywords(prompty), ...refusedTools(prompty)];
}

function refusedTools({ parameters, document }: Prompty): readonly Diagnostic[] {
  const offered = offeredOf(sentParameters(parameters));
  if (!('error' in offered)) return [];
  const { name, ...words } = refusedOffer(offered.error);
  const span = document.locate(['model', 'parameters', name]);
  return [{ severity: 'error', code: 'MODEL_PARAMETER', ...words, span, allowsRun: true }];
}

function wrongKinds({ parameters, document }: Prompty): readonly Diagnostic[] {
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

function wrongKeywords({ parameters, document }: Prompty): readonly Diagnostic[] {
  return misspeltInSchemas(parameters).map(({ message, help, path }) => {
    const span = document.locate(['model', 'parameters', ...path], 'key');
    return { severity: 'warning', code: 'MODEL_PARAMETER', message, help, span };
  });
}
