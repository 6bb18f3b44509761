import type { NodeSpec } from '@unroll/engine';

/**
 * A Python file whose tool calls that of another file: where that is no function Prompt flow finds by its name, or where its
 * failure is fed back.
 *
 * @param path of the other file
 * @param inputs names of the node's inputs
 */
export function callingFile(
  path: string,
  inputs: readonly string[],
  feedBack: NodeSpec['feedBack'],
): { readonly path: string; readonly text: string } {
  const stem = path.replace(/\.py$/, '');
  const call = feedBack === undefined ? 'call_tool' : 'feed_back';
  const given = inputs.map((name) => `${JSON.stringify(name)}: ${name}`).join(', ');
  const named = feedBack === undefined ? [] : [feedBack.stateInput, feedBack.messageInput];
  const others = named.map((name) => `, ${JSON.stringify(name)}`).join('');
  return {
    path: `${stem.replaceAll('/', '_')}_node.py`,
    text: `"""Calls the tool of ${path}${feedBack === undefined ? '' : ' and hands its failure on for the model to read'}."""

from promptflow.core import tool
from unroll import ${call}


@tool
def ${stem.split('/').at(-1)?.replaceAll(/\W/g, '_')}_node(${inputs.join(', ')}):
    return ${call}(${JSON.stringify(path)}, {${given}}${others})
`,
  };
}
