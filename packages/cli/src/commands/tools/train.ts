import type { TrainingProgress } from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '@unroll/project';
import { trainTools } from '@unroll/project/tool-catalogues';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { TrainToolsSettings } from '../../options/tools-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

const madeByDefault = 3000;

/** `flow tools train`: a small retriever for the tools of one catalogue. */
export async function train(settings: TrainToolsSettings, io: Io): Promise<number> {
  const { catalogue, out, queries: file, made = madeByDefault, unseen, quiet } = settings;
  if (out === undefined) {
    const help = `for instance: flow tools train ${catalogue} --out shop.model`;
    throw new ProjectFailure('no file to write is named', { help });
  }
  const queries = file === undefined ? { made } : { file };
  const kind = file === undefined ? 'made of the documentation' : `of ${file}`;
  const following = {
    onBegun: (about: { readonly tools: number; readonly queries: number; readonly unseen: number }) => {
      if (quiet) return;
      io.stderr.write(`${about.tools} tools, ${about.queries} requests ${kind}\n`);
      if (about.unseen > 0) io.stderr.write(`kept out of it: ${about.unseen}\n`);
    },
    onProgress: quiet ? undefined : (told: TrainingProgress) => io.stderr.write(passLine(told)),
  };
  const { tools, bytes } = trainTools(catalogue, out, { queries, unseen }, following, io);
  io.stdout.write(
    settings.json
      ? stringifyJsonLine({ model: out, tools, bytes })
      : `${out}: ${tools} tools, ${(bytes / 1e6).toFixed(1)} MB\n`,
  );
  return exitCode.done;
}

function passLine({ stage, pass, passes, loss }: TrainingProgress): string {
  return `${stage.padEnd(8)} ${pass}/${passes}  loss ${loss.toFixed(3)}\n`;
}
