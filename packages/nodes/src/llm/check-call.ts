import { type Diagnostic, didYouMean, type NodeDefinition } from '@unroll/engine';
import { apiOf, apis } from './find-service.ts';

/** A node that names no connection, or no API that there is: it cannot be made ready. */
export function checkCall(node: NodeDefinition): readonly Diagnostic[] {
  return [...missingConnection(node), ...wrongApi(node)];
}

function missingConnection(node: NodeDefinition): readonly Diagnostic[] {
  if ((node.connection ?? '') !== '' || isOtherThanText(node)) return [];
  const help = 'name one of your connections, or "offline", a stand-in that needs no key';
  return [
    mistake(node, 'connection', { code: 'CONNECTION_MISSING', message: 'an llm node names no connection', help }),
  ];
}

/** Something stands there that is no text, which is told as that. */
function isOtherThanText(node: NodeDefinition): boolean {
  const span = node.locate(['connection'], 'value');
  return span !== undefined && !/^(''|""|~|null)?$/i.test(span.file.text.slice(span.start, span.end).trim());
}

function wrongApi(node: NodeDefinition): readonly Diagnostic[] {
  const { api = '' } = node;
  if (apiOf(node) !== undefined) return [];
  if (api === '')
    return [
      mistake(node, 'api', {
        code: 'FLOW_MISSING_KEY',
        message: 'an llm node has no api',
        help: 'for instance `api: chat`',
      }),
    ];
  const help = didYouMean(api, apis) ?? `there are ${apis.join(', ')}`;
  return [mistake(node, 'api', { code: 'FLOW_WRONG_VALUE', message: `there is no api "${api}"`, help })];
}

function mistake(
  node: NodeDefinition,
  key: 'connection' | 'api',
  mistake: Pick<Diagnostic, 'code' | 'message' | 'help'>,
): Diagnostic {
  const span = node.locate([key], 'value') ?? node.locate(['name'], 'value');
  return { severity: 'error', ...mistake, unreadyNode: node.name, ...(span === undefined ? {} : { span }) };
}
