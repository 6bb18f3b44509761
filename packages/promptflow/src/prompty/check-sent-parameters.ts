import { type Diagnostic, didYouMean, type Prompty, stringifyJson } from '@unroll/engine';
import { knownParameters, misspeltInSchemas, refusedOffer, wrongKind } from '@unroll/nodes/building-blocks';
import { offeredOf } from './offered-tools.ts';
import { sentParameters } from './prompty-request.ts';

/** Parameters are sent as they are written: a text where the service takes a number makes it refuse the request. */
export function checkSentParameters(prompty: Prompty): readonly Diagnostic[] {
  return [...misspeltNames(prompty), ...wrongKinds(prompty), ...wrongKeywords(prompty), ...refusedTools(prompty)];
}

/** What the client library of Prompt flow takes beside the parameters of the service. */
const ofClient = ['extra_headers', 'extra_query', 'extra_body', 'timeout'];

/** A service may have parameters of its own, so what is like none of those known is left to it. */
function misspeltNames({ api, parameters, document }: Prompty): readonly Diagnostic[] {
  const known = [...Object.keys(knownParameters(api)), ...ofClient];
  return Object.keys(parameters).flatMap((name): readonly Diagnostic[] => {
    const help = known.includes(name) ? undefined : didYouMean(name, known);
    if (help === undefined) return [];
    const span = document.locate(['model', 'parameters', name], 'key');
    const message = `"${name}" is no parameter that is known, and it is sent as it is`;
    return [{ severity: 'warning', code: 'MODEL_PARAMETER', message, help, span }];
  });
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
