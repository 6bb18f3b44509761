import { findRun, openRecord, ProjectFailure, placeOf } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';

/** `flow trace`: what happened in a row as events of another system, one JSON object a line. */
export async function trace({ arguments: given, options, io }: CommandCall): Promise<number> {
  const format = textOf(options, 'format') ?? 'bedrock';
  if (format !== 'bedrock') throw new ProjectFailure(`--format ${format} is none`, { help: 'It can be: bedrock' });
  await using store = openRecord(findRun(given[0], hostOf({ options, io })), hostOf({ options, io }));
  const { line, repeat } = placeOf(store, textOf(options, 'row'));
  const { bedrockTrace } = await import('@unroll/nodes/bedrock');
  const events = bedrockTrace(store.nodes(line, repeat), store.info.id);
  if (events.length === 0) {
    throw new ProjectFailure(`run ${store.info.id} has no steps of a Bedrock agent`, {
      help: 'Traces are made of flows like flows/bedrock-agent; flow show prints the record of any flow.',
    });
  }
  for (const event of events) io.stdout.write(`${JSON.stringify(event)}\n`);
  return exitCode.done;
}
