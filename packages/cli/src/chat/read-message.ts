import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean, type JsonValue, type Plan } from '@unroll/engine';
import { type ChatShape, saidText, textPart } from '@unroll/project';
import type { Io } from '../io.ts';

/** A line of a chat: something to say to the flow, or to the chat itself, or a line that cannot be understood. */
export type ChatLine =
  | { readonly kind: 'said'; readonly value: JsonValue }
  | { readonly kind: 'exit' | 'reset' | 'show' | 'help' | 'nothing' }
  | { readonly kind: 'wrong'; readonly message: string };

const commands = ['/exit', '/reset', '/show', '/help', '/image'];
const kinds: Readonly<Record<string, 'exit' | 'reset' | 'show' | 'help'>> = {
  '/exit': 'exit',
  '/quit': 'exit',
  '/reset': 'reset',
  '/show': 'show',
  '/help': 'help',
};

/** `/exit`, `/reset`, `/show`, `/help`, `/image PATH text`, the slash and the name also in full-width characters; `//` starts a message with a slash. */
export function readLine(line: string, shape: ChatShape, plan: Plan, io: Io): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (text.includes('\uFFFD')) return { kind: 'wrong', message: unreadable };
  if (text.startsWith('//')) return messageLine(text.slice(1), shape, plan);
  if (!/^[/／]/.test(text)) return messageLine(text, shape, plan);
  const [written = ''] = text.split(/\s/, 1);
  const name = written.normalize('NFKC');
  const kind = kinds[name];
  if (kind !== undefined) return { kind };
  if (name === '/image') return withImage(text.slice(written.length).trim(), shape, plan, io);
  const help = didYouMean(name, commands) ?? `there are ${commands.join(', ')}; // starts a message with a slash`;
  return { kind: 'wrong', message: `there is no ${written}: ${help}` };
}

const unreadable = 'the line holds characters that cannot be read, and is not said: a chat is read as UTF-8';

function messageLine(text: string, shape: ChatShape, plan: Plan): ChatLine {
  return { kind: 'said', value: saidText(text, shape, plan) };
}

function withImage(rest: string, { input }: ChatShape, plan: Plan, io: Io): ChatLine {
  const [, quoted, plain, text = ''] = /^(?:"([^"]+)"|(\S+))\s*(.*)$/s.exec(rest) ?? [];
  const path = quoted ?? plain;
  if (path === undefined) return { kind: 'wrong', message: '/image takes a path, and a text behind it' };
  if (input.type !== 'list') {
    return {
      kind: 'wrong',
      message: `the flow takes text alone: its input ${input.name} is a ${input.type}, not a list`,
    };
  }
  const full = resolve(io.folder, path);
  const kind = imageKinds[path.toLowerCase().split('.').at(-1) ?? ''];
  if (kind === undefined)
    return { kind: 'wrong', message: `${path} is no picture that models take: ${Object.keys(imageKinds).join(', ')}` };
  if (!existsSync(full)) return { kind: 'wrong', message: `there is no file ${path}` };
  const image: JsonValue =
    plan.messageFormat === 'openai-vision'
      ? { type: 'image_file', image_file: { path: full } }
      : { [`data:image/${kind};path`]: full };
  return { kind: 'said', value: [...(text === '' ? [] : [textPart(text, plan)]), image] };
}

const imageKinds: Readonly<Record<string, string>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
};
