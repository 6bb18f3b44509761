import { resolve } from 'node:path';
import { type JsonObject, type RowResult, shownPath, stringifyJson } from '@unroll/engine';
import { type Chat, openChat } from '../chat/chat.ts';
import { answeringOutput, chatShapeOf } from '../chat/chat-shape.ts';
import { answerOf, saidText } from '../chat/chat-words.ts';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import { requireInside } from '../host/inside-folder.ts';
import type { ProjectEvent } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { projectOn } from '../library/open-project.ts';
import { bulkSettingsOf } from '../library/settings.ts';
import { readFlow } from '../playground/read-flow.ts';
import { writtenJson } from '../playground/written-json.ts';
import type { ChatAnswer, ChatPage, ChatTurn, SpokenOutputs } from '../studio-contract/contract.ts';
import { failureText } from '../words/index.ts';
import { spokenOutputs } from './spoken-outputs.ts';
import { valueView } from './value-view.ts';

interface OpenedChat {
  readonly chat: Chat;
  /** Absolute. */
  readonly flowFile: string;
  /** The turn under way. */
  turn: Promise<void> | undefined;
}

/** Chats that are open at the same time: beyond that the one that was talked with longest ago is closed. */
const maxOpen = 8;

/** Chats with the flows of the folder, each a record; they end with the studio. */
export class Chats implements AsyncDisposable {
  private readonly host: ProjectHost;
  /** By the ids of their records, the one that was talked with last at the end. */
  private readonly open = new Map<string, OpenedChat>();

  constructor(host: ProjectHost) {
    this.host = host;
  }

  page(): ChatPage {
    const flows = projectOn(this.host).flows.list();
    return { flows: flows.flatMap((found) => chatFlow(found, this.host)) };
  }

  /**
   * One turn; resolves when it has ended. What happens meanwhile is told.
   *
   * @throws ProjectFailure where there is no such chat, or the flow cannot be talked with
   */
  async turn(asked: ChatTurn, tell: (answer: ChatAnswer) => void, signal: AbortSignal): Promise<void> {
    const opened = asked.chat === undefined ? await this.begin(asked) : this.find(asked.chat, asked.flow);
    opened.turn = this.say(opened, asked.message, tell, signal);
    try {
      await opened.turn;
    } finally {
      opened.turn = undefined;
      // Its record could not be begun.
      if (opened.chat.record === undefined) await opened.chat[Symbol.asyncDispose]();
    }
  }

  /** Resolves once no turn of the chat is under way any more. */
  async settled(id: string): Promise<void> {
    await this.open.get(id)?.turn;
  }

  private async say(
    opened: OpenedChat,
    message: string,
    tell: (answer: ChatAnswer) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { chat } = opened;
    const line = chat.turns;
    const report = (event: ProjectEvent): void => {
      if (event.type === 'row-started' && chat.record !== undefined) {
        this.open.set(chat.record.id, opened);
        tell({ type: 'began', chat: chat.record.id, line });
      } else reportTurn(event, chat, tell);
    };
    const result = await chat.say(saidText(message, chat.shape, chat.plan), { signal, report });
    const { row } = result;
    if (chat.record === undefined) throw new Error('bug: a turn without a record');
    await this.keep(chat.record.id, opened);
    const error = row.error === undefined ? undefined : failureText(row.error);
    const said = saidOf(result, chat);
    const ended = { type: 'ended', chat: chat.record.id, line, status: row.status, said } as const;
    const { isOutdated } = chat;
    tell({ ...ended, ...(error === undefined ? {} : { error }), ...(isOutdated ? { isOutdated } : {}) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { chat } of this.open.values()) await chat[Symbol.asyncDispose]();
    this.open.clear();
  }

  private async begin({ flow, inputs = {} }: ChatTurn): Promise<OpenedChat> {
    requireInside('flow', flow, this.host);
    const given = Object.fromEntries(Object.entries(inputs).map(([name, json]) => [name, writtenJson(json, name)]));
    const settings = await bulkSettingsOf(flow, {}, this.host);
    const guarded = { ...settings, guardsImageFiles: true };
    const found = findFlow(flow, this.host);
    const chat = await openChat(found, given as JsonObject, guarded, this.host);
    return { chat, flowFile: found.file, turn: undefined };
  }

  private find(id: string, flow: string): OpenedChat {
    const opened = this.open.get(id);
    if (opened === undefined) {
      throw new ProjectFailure(`chat ${id} is not open any more`, { help: 'Begin a new one.', code: 'ChatClosed' });
    }
    if (resolve(this.host.folder, flow) !== opened.flowFile && findFlow(flow, this.host).file !== opened.flowFile) {
      throw new ProjectFailure(`chat ${id} is with another flow than ${flow}`, {
        help: 'Begin a new one.',
        code: 'BadQuery',
      });
    }
    if (opened.turn === undefined) return opened;
    throw new ProjectFailure('the turn before has not ended yet', { help: 'Stop it, or wait.', code: 'TurnUnderWay' });
  }

  private async keep(id: string, opened: OpenedChat): Promise<void> {
    this.open.delete(id);
    this.open.set(id, opened);
    const idle = [...this.open].filter(([, { turn }]) => turn === undefined);
    for (const [old, { chat }] of idle.slice(0, Math.max(0, this.open.size - maxOpen))) {
      this.open.delete(old);
      await chat[Symbol.asyncDispose]();
    }
  }
}

/** Where an answer is null it is told what came in its place. */
function saidOf({ row: { status, outputs }, nodes }: RowResult, { shape }: Chat): SpokenOutputs {
  if (status !== 'Completed') return { answer: valueView(undefined), others: [] };
  const output = answeringOutput(outputs, shape);
  const isNull = output !== undefined && (outputs[output] ?? null) === null;
  if (isNull) return { answer: valueView(answerOf(outputs, shape, nodes)), others: [] };
  return spokenOutputs(outputs, output);
}

/** Nothing where the flow is no chat, or has mistakes. */
function chatFlow(found: FoundFlow, host: ProjectHost): ChatPage['flows'] {
  const { plan } = readFlow(found, { overrides: [] }, host);
  if (plan === undefined) return [];
  try {
    const shape = chatShapeOf(plan);
    const others = plan.inputs.filter(({ name }) => name !== shape.input.name && name !== shape.history);
    return [
      {
        name: plan.name,
        path: shownPath(found.file, host.folder),
        hasHistory: shape.history !== undefined,
        inputs: others.map(({ name, type, default: usual }) => ({
          ...{ name, type },
          ...(usual === undefined ? {} : { json: stringifyJson(usual) }),
        })),
      },
    ];
  } catch (error) {
    if (error instanceof ProjectFailure) return [];
    throw error;
  }
}

function reportTurn(event: ProjectEvent, { shape }: Chat, tell: (answer: ChatAnswer) => void): void {
  if (event.type === 'node-started') tell({ type: 'node', node: event.node, status: 'Running' });
  else if (event.type === 'node-ended') tell({ type: 'node', node: event.run.node, status: event.run.status });
  else if (event.type === 'text' && event.node === shape.answeringNode) tell({ type: 'text', text: event.text });
}
