import { ProjectFailure, placeOf, projectOn } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { TraceSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';

/** `flow trace`: what happened in a row as events of another system, one JSON object a line. */
export async function trace(settings: TraceSettings, io: Io): Promise<number> {
  const format = settings.format ?? 'bedrock';
  if (format !== 'bedrock') throw new ProjectFailure(`--format ${format} is none`, { help: 'It can be: bedrock' });
  await using store = await projectOn(hostOf(settings, io)).runs.open(settings.run);
  const { line, repeat } = await placeOf(store, settings.row);
  const { bedrockTrace } = await import('@unroll/nodes/bedrock');
  const events = bedrockTrace(await store.nodes(line, repeat), store.info.id);
  if (events.length === 0) {
    throw new ProjectFailure(`run ${store.info.id} has no steps of a Bedrock agent`, {
      help: 'Traces are made of flows like flows/bedrock-agent; flow show prints the record of any flow.',
    });
  }
  for (const event of events) io.stdout.write(`${JSON.stringify(event)}\n`);
  return exitCode.done;
}
