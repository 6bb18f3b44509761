import { shellWord } from '@unroll/engine/values';
import { type BuiltFlow, buildFlow, findServedFlow, ProjectFailure } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { BuildSettings } from '../options/build-options.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';

/** `flow build`: a folder that serves a flow, by itself or as an image. */
export async function build(settings: BuildSettings, io: Io): Promise<number> {
  const { output, force, packages, lock, connectionsFile } = settings;
  const name = settings.flow ?? settings.source;
  const help = 'For instance: flow build my-flow --output built';
  if (name === undefined) throw new ProjectFailure('which flow? Give its folder', { help });
  if (output === undefined) throw new ProjectFailure('where to? --output names a folder', { help });
  const host = hostOf(settings, io);
  const found = findServedFlow(name, host);
  const built = await buildFlow(found, { output, force, packages, lock, connectionsFile }, host);
  if (settings.json) {
    const { files, leftOut, variables, served } = built;
    const report = {
      files,
      left_out: leftOut.map((one) => ({ ...one })),
      variables: variables.map((one) => ({ ...one })),
    };
    io.stdout.write(stringifyJsonLine({ output, ...report, flow: served }));
    return exitCode.done;
  }
  const { good } = styleOf(io.stdout, io, settings.color);
  io.stdout.write(`${good('✓')} ${output}: ${built.files.length} files\n${aboutText(built)}`);
  io.stdout.write(
    `next    cd ${shellWord(output)} && ${lock ? 'npm ci' : 'npm install'} && npx flow serve ${shellWord(built.served)}\n`,
  );
  io.stdout.write(`        docker build --tag my-flow ${shellWord(output)}\n`);
  return exitCode.done;
}

function aboutText({ leftOut, variables }: BuiltFlow): string {
  const left = leftOut.map(({ path, why }) => `left    ${path}, which ${why}\n`);
  const needed = variables.map(({ name, about }) => `needs   ${name}: ${about}\n`);
  return [...left, ...needed].join('');
}
