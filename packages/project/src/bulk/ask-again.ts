import type { ModelService, NodeRun, Plan, RunReader } from '@unroll/engine';
import type { FlowForRun } from '../flows/open-for-run.ts';

/**
 * Asks models whose answers come in an order what the record says they were asked, so that a run that goes on gets what an
 * undisturbed one gets. What was on its way when the run ended is in no record, and is asked again.
 */
export async function askAgain(
  { flow: { plan }, modelsInOrder }: FlowForRun,
  store: RunReader,
  repeat: number,
): Promise<void> {
  if (modelsInOrder.size === 0) return;
  const connectionOf = connectionsOf(plan);
  const lines = await store.nextLine();
  for (let line = 0; line < lines; line += 1) {
    for (let round = 0; round < repeat; round += 1) {
      for (const run of await store.nodes(line, round)) {
        for (const connection of askedBy(run, connectionOf)) await ask(modelsInOrder.get(connection), run);
      }
    }
  }
}

function connectionsOf({ nodes }: Plan): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ name, definition: { connection } }) => (connection === undefined ? [] : [[name, connection]])),
  );
}

/** The connections that were asked for a node, one a try. */
function askedBy(run: NodeRun, connectionOf: ReadonlyMap<string, string>): readonly string[] {
  const own = connectionOf.get(run.node);
  if (own === undefined || run.cachedFrom !== undefined || run.cache === 'hit' || run.oracle === true) return [];
  return run.attempts?.map(({ fallback }) => fallback?.connection ?? own) ?? [own];
}

async function ask(model: ModelService | undefined, { promptMessages: messages, inputs }: NodeRun): Promise<void> {
  const asked = messages ?? inputs?.['input'];
  if (asked === undefined) return;
  await model?.call('chat', { messages: asked }, { signal: new AbortController().signal });
}
