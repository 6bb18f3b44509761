import { basename } from 'node:path';
import { type JsonObject, type Plan, stringifyJson } from '@unroll/engine';
import { FlowNotReady, findServedFlow, flowTypes, projectOn, writeOutputFile } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { TypesSettings } from '../options/flow-options.ts';
import { hostOf } from '../project-host.ts';

/** `flow types`: the inputs and outputs of a flow as a TypeScript declaration. */
export async function types(settings: TypesSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const { file, folder } = findServedFlow(settings.flow, host);
  const { variant, connectionsFile } = settings;
  const { plan, diagnostics } = await projectOn(host).check(file, { variant, connectionsFile });
  if (plan === undefined) throw new FlowNotReady('the flow cannot be read', { diagnostics, loadError: undefined });
  const text = settings.json ? `${stringifyJson(await schemasOf(plan), 2)}\n` : flowTypes(basename(folder), plan);
  const { output = '-' } = settings;
  if (output === '-') {
    io.stdout.data(text);
    return exitCode.done;
  }
  writeOutputFile(output, text, io);
  io.stderr.write(`${output} written\n`);
  return exitCode.done;
}

async function schemasOf(plan: Plan): Promise<JsonObject> {
  const { inputsSchema, outputsSchema } = await import('@unroll/server');
  return { inputs: inputsSchema(plan), outputs: outputsSchema(plan) };
}
