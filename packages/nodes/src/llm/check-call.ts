import { type Diagnostic, didYouMean, type NodeDefinition } from '@unroll/engine';
import { mistakeAtKey } from '../errors/mistake-at-key.ts';
import { apiOf, apis } from './find-service.ts';

/** A node that names no connection, or no API that there is: it cannot be made ready. */
export function checkCall(node: NodeDefinition): readonly Diagnostic[] {
  return [...missingConnection(node), ...wrongApi(node)];
}

function missingConnection(node: NodeDefinition): readonly Diagnostic[] {
  if ((node.connection ?? '') !== '' || isOtherThanText(node)) return [];
  const help = 'name one of your connections, or "offline", a stand-in that needs no key';
  const message = 'an llm node names no connection';
  return [mistakeAtKey(node, 'connection', { code: 'CONNECTION_MISSING', message, help, unreadyNode: node.name })];
}

/** Something stands there that is no text, which is told as that. */
function isOtherThanText(node: NodeDefinition): boolean {
  const span = node.locate(['connection'], 'value');
  return span !== undefined && !/^(''|""|~|null)?$/i.test(span.file.text.slice(span.start, span.end).trim());
}

function wrongApi(node: NodeDefinition): readonly Diagnostic[] {
  const { api = '', name: unreadyNode } = node;
  if (apiOf(node) !== undefined) return [];
  const mistake =
    api === ''
      ? { code: 'FLOW_MISSING_KEY', message: 'an llm node has no api', help: 'for instance `api: chat`' }
      : {
          code: 'FLOW_WRONG_VALUE',
          message: `there is no api "${api}"`,
          help: didYouMean(api, apis) ?? `there are ${apis.join(', ')}`,
        };
  return [mistakeAtKey(node, 'api', { ...mistake, unreadyNode })];
}
