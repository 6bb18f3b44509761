import { formatDiagnostic, printJson, type SourceFile, type Values } from '@unroll/engine';
import { compileTemplate, NewlineList, TemplateError, type TemplateProblem } from '@unroll/engine/template';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, textOf } from '../option-values.ts';
import { messagesText } from '../reporters/node-text.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { asMapping, readJson, readPairs, readTextFile } from './read-inputs.ts';
import { renderBatch } from './render-batch.ts';

/** `flow render`: what a template becomes, as text or as chat messages. */
export async function render(call: CommandCall): Promise<number> {
  const { arguments: given, options, io } = call;
  const batch = textOf(options, 'batch');
  if (batch !== undefined) {
    const lines = batch === '-' ? await io.readStdin() : readTextFile(batch, io);
    for (const line of renderBatch(lines)) io.stdout.write(line);
    return exitCode.done;
  }
  const [path] = given;
  if (path === undefined) throw new CommandFailure('name a template, or --batch FILE', { help: '(flow help render)' });
  const file: SourceFile = { path, text: readTextFile(path, io) };
  const variables = await variablesOf(call);
  const isChat = options['chat'] === true;
  const guard = isChat ? absentCharacter(file.text + printJson(variables)) : '';
  const rendered = renderFile(file, isChat ? withNewlineLists(variables) : variables, guard, call);
  if (typeof rendered !== 'string') return refuse(rendered, file, call);
  io.stdout.write(isChat ? await chatText(rendered, guard, call) : withLineEnd(rendered));
  return exitCode.done;
}

async function variablesOf({ options, io }: CommandCall): Promise<Values> {
  const path = textOf(options, 'vars');
  const text = path === '-' ? await io.readStdin() : path === undefined ? '{}' : readTextFile(path, io);
  return { ...asMapping(readJson(text, path ?? '--vars'), path ?? '--vars'), ...readPairs(listOf(options, 'var'), io) };
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** A character of private use that the text does not hold: it marks what comes from values, so that none opens a role. */
function absentCharacter(text: string): string {
  for (let code = 0xe000; ; code += 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) return character;
  }
}

async function chatText(rendered: string, guard: string, { options, io }: CommandCall): Promise<string> {
  const { parseChat } = await import('@unroll/nodes');
  const parsed = parseChat(rendered, guard);
  if (!parsed.ok) throw new CommandFailure(parsed.error.message, { code: parsed.error.code });
  if (options['json'] === true) return `${printJson(parsed.messages, 2)}\n`;
  return `${messagesText(parsed.messages, createStyle(usesColor(io.stdout, io, options['color'])))}\n`;
}

/** As a prompt or llm node renders, but for what the options say. */
function renderFile(
  file: SourceFile,
  variables: Readonly<Record<string, unknown>>,
  guard: string,
  { options }: CommandCall,
): string | TemplateProblem {
  const compiled = compileTemplate(file.text, {
    trimBlocks: options['trimBlocks'] !== false,
    lstripBlocks: options['lstripBlocks'] === true,
    keepTrailingNewline: options['keepTrailingNewline'] !== false,
    strictUndefined: options['strict'] === true,
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

/** An llm node prints a list that is a variable itself line by line. */
function withNewlineLists(variables: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, Array.isArray(value) ? NewlineList.from(value) : value]),
  );
}

function refuse(
  { errorClass, message, place }: TemplateProblem,
  file: SourceFile,
  { io, options }: CommandCall,
): number {
  const diagnostic = { severity: 'error', code: errorClass, message, span: { file, ...place } } as const;
  io.stderr.write(`${formatDiagnostic(diagnostic, { color: usesColor(io.stderr, io, options['color']) })}\n`);
  return exitCode.wrong;
}
