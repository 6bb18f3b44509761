import { projectOn } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ImportRunSettings } from '../options/record-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';

/** `flow import-run`: a run folder of Prompt flow becomes a record, to be shown, compared and read as any other. */
export async function importRun(settings: ImportRunSettings, io: Io): Promise<number> {
  const { folder, name } = settings;
  const { id, path, rows, failed, nodes } = await projectOn(hostOf(settings, io)).runs.import(folder, { name });
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ run_id: id, record: path, rows, failed, nodes }));
    return exitCode.done;
  }
  io.stdout.write(`${counted(rows, 'row')}, ${failed} failed, ${counted(nodes, 'node')}\n`);
  io.stdout.write(`record  ${path}\nnext    flow show ${runArgument(id, settings)}\n`);
  return exitCode.done;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
