import { type Diagnostic, formatDiagnostic, type JsonObject, type SourceFile, stringifyJson } from '@unroll/engine';
import { compileTemplate, newlineLists, TemplateError, type TemplateProblem } from '@unroll/engine/template';
import { asMapping, ProjectFailure, readJson, readTextFile } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import { readPairs } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { RenderSettings } from '../options/flow-options.ts';
import { messagesText } from '../reporters/node-text.ts';
import { styleOf, usesColor } from '../text/style.ts';
import { renderBatch } from './render-batch.ts';

/** `flow render`: what a template becomes, as text or as chat messages. */
export async function render(settings: RenderSettings, io: Io): Promise<number> {
  const batch = settings.batch;
  if (batch !== undefined) {
    const lines = batch === '-' ? await io.readStdin() : readTextFile(batch, io);
    for (const line of renderBatch(lines)) io.stdout.write(line);
    return exitCode.done;
  }
  const path = settings.template;
  if (path === undefined) throw new ProjectFailure('name a template, or --batch FILE', { help: '(flow help render)' });
  const file: SourceFile = { path, text: readTextFile(path, io) };
  const variables = await variablesOf(settings, io);
  if (settings.chat) return await renderChat(file, variables, settings, io);
  const rendered = renderFile(file, variables, '', settings);
  if (typeof rendered !== 'string') return refuse(rendered, file, io);
  if (settings.json) io.stdout.write(`${stringifyJson(rendered)}\n`);
  else io.stdout.data(rendered.endsWith('\n') ? rendered : `${rendered}\n`);
  return exitCode.done;
}

async function variablesOf(settings: RenderSettings, io: Io): Promise<JsonObject> {
  const path = settings.vars;
  const text = path === '-' ? await io.readStdin() : path === undefined ? '{}' : readTextFile(path, io);
  return { ...asMapping(readJson(text, path ?? '--vars'), path ?? '--vars'), ...readPairs(settings.var, io) };
}

/** As an llm node does: lists print line by line, and what comes from values is marked, so that it opens no message. */
async function renderChat(file: SourceFile, variables: JsonObject, settings: RenderSettings, io: Io): Promise<number> {
  const { parseChat, unusedCharacter } = await import('@unroll/nodes');
  const guard = unusedCharacter(file.text, variables);
  const lists = newlineLists(variables) as Readonly<Record<string, unknown>>;
  const rendered = renderFile(file, lists, guard, settings);
  if (typeof rendered !== 'string') return refuse(rendered, file, io);
  const parsed = parseChat(rendered, guard);
  if (!parsed.ok) throw new ProjectFailure(parsed.error.message, { code: parsed.error.code });
  const style = styleOf(io.stdout, io, undefined);
  const isJson = settings.json;
  io.stdout.write(`${isJson ? stringifyJson(parsed.messages, 2) : messagesText(parsed.messages, style)}\n`);
  return exitCode.done;
}

/** As a prompt or llm node renders, but for what the options say. */
function renderFile(
  file: SourceFile,
  variables: Readonly<Record<string, unknown>>,
  guard: string,
  settings: RenderSettings,
): string | TemplateProblem {
  const compiled = compileTemplate(file.text, {
    trimBlocks: settings.trimBlocks,
    lstripBlocks: settings.lstripBlocks,
    keepTrailingNewline: settings.keepTrailingNewline,
    strictUndefined: settings.strict,
  });
  if (!compiled.ok) return compiled.problems[0] ?? noProblem();
  try {
    return compiled.template.render(variables, { guard });
  } catch (error) {
    if (error instanceof TemplateError) return error.problem;
    throw error;
  }
}

function noProblem(): never {
  throw new Error('bug: a template was refused without a problem');
}

function refuse({ errorClass, message, place, help }: TemplateProblem, file: SourceFile, io: Io): number {
  const diagnostic: Diagnostic = { severity: 'error', code: errorClass, message, span: { file, ...place }, help };
  io.stderr.write(`${formatDiagnostic(diagnostic, { color: usesColor(io.stderr, io, undefined) })}\n`);
  return exitCode.wrong;
}
