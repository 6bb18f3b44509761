import { contentWords } from './content-words.ts';
import type { Judging } from './judging.ts';
import type { Passage } from './read-passages.ts';
import { isJapanese } from './said-by-stand-in.ts';
import { greeting, isSmallTalk } from './small-talk.ts';

/** A prompt of Bedrock's text protocol: what stands before the question, the question, and what was written so far. */
export interface ProtocolPrompt {
  readonly system: string;
  readonly user: string;
  readonly assistant: string;
}

/**
 * The stand-in's completion for a step of an agent that is spoken to in text: sorts the input, calls the function whose
 * description shares most words with the question, asks for what it cannot find, answers with what came back. Undefined
 * where the prompt asks for none of it.
 */
export function answerProtocol(prompt: ProtocolPrompt, judging: Judging): ProtocolAnswer | undefined {
  const { system, user } = prompt;
  const all = `${system}\n${user}`;
  const question = inner(user, 'question');
  if (question === undefined) return undefined;
  if (all.includes('<final_response>')) return final(inner(user, 'response') ?? '');
  if (all.includes('<category>')) return category(system, question);
  if (all.includes('<search_results>')) return fromResults(system, question, judging);
  if (all.includes('<function_call>')) return nextAction(prompt, question);
  return undefined;
}

export interface ProtocolAnswer {
  readonly text: string;
  /** The stop sequence it ended at. */
  readonly stop: string;
}

const human = '\n\nHuman:';

function final(response: string): ProtocolAnswer {
  return { text: `<final_response>\n${response.trim()}\n</final_response>`, stop: human };
}

const harmful = /爆弾|武器|毒|不正アクセス|盗|bomb|weapon|poison|hack|steal/iu;
const aboutItself = /プロンプト|指示(?:文|を)|システム設定|your (?:prompt|instructions?|functions?)|system prompt/iu;

function category(system: string, question: string): ProtocolAnswer {
  const [thought, letter] = harmful.test(question)
    ? ['The input asks for something harmful.', 'A']
    : aboutItself.test(question)
      ? ['The input is about the instructions.', 'B']
      : asks(lastOfAgent(system))
        ? ["The input answers the agent's question.", 'E']
        : ['The agent can answer this.', 'D'];
  return { text: `<thinking>${thought}</thinking>\n<category>${letter}</category>`, stop: human };
}

/** What the agent said where it spoke last; empty where the user did. */
function lastOfAgent(system: string): string {
  const last = spokenBefore(system).at(-1);
  return last?.speaker === 'Agent' ? last.text : '';
}

/** The reply to a question of the agent with what the user had asked before it: a date alone says nothing. */
function withQuestionBefore(system: string, reply: string): string {
  if (!asks(lastOfAgent(system))) return reply;
  const before = spokenBefore(system).findLast(({ speaker }) => speaker === 'User');
  return before === undefined ? reply : `${before.text} ${reply}`;
}

interface Spoken {
  readonly speaker: 'User' | 'Agent';
  readonly text: string;
}

function spokenBefore(system: string): readonly Spoken[] {
  const history = inner(system, 'conversation_history') ?? '';
  return history.split(/^(?=(?:User|Agent): )/m).flatMap((part) => {
    const [, speaker, text = ''] = /^(User|Agent): ([\s\S]*)$/.exec(part) ?? [];
    return speaker === 'User' || speaker === 'Agent' ? [{ speaker, text: text.trim() }] : [];
  });
}

/** Questions, and requests such as the stand-in's own. */
function asks(text: string): boolean {
  return /(?:[?？]|か。|ください。?)$/u.test(text) || /^Please tell me\b/u.test(text);
}

function fromResults(system: string, question: string, judging: Judging): ProtocolAnswer {
  const passages = [...system.matchAll(/<search_result number="(\d+)">\n([\s\S]*?)\n<\/search_result>/g)];
  const hits = passages.map(([, id = '', text = '']): Passage => ({ id, text }));
  const found = judging.judge(question, hits);
  const part =
    found === undefined
      ? notFound(question)
      : `${judging.doubt(question, question, found, hits)}${found.text}</text>\n<sources><source>${found.id}</source></sources>`;
  const body = found === undefined ? part : `<answer_part>\n<text>${part}\n</answer_part>`;
  return { text: `<answer>\n${body}\n</answer>`, stop: human };
}

function nextAction({ system, assistant }: ProtocolPrompt, question: string): ProtocolAnswer {
  const results = [...assistant.matchAll(/<(function_result|error)>\n([\s\S]*?)\n<\/\1>/g)];
  const last = results.at(-1);
  if (last !== undefined) {
    const [, tag, text = ''] = last;
    const answer = tag === 'error' ? `${notFound(question)} (${text.trim()})` : text.trim();
    return { text: `<answer>\n${answer}\n`, stop: '</answer>' };
  }
  if (isSmallTalk(question)) return { text: `<answer>\n${greeting(question)}\n`, stop: '</answer>' };
  const asked = withQuestionBefore(system, question);
  const chosen = bestFunction(readFunctions(system), asked);
  if (chosen === undefined) return { text: `<answer>\n${notFound(question)}\n`, stop: '</answer>' };
  const args = chosen.arguments.map((one) => ({ ...one, value: valueIn(one, asked) }));
  const missing = args.find(({ isRequired, value }) => isRequired && value === undefined);
  const written = args.flatMap(({ name, value }) =>
    value === undefined ? [] : [`${name}="${value.replaceAll('"', '\\"')}"`],
  );
  const call =
    missing === undefined
      ? `${chosen.name}(${written.join(', ')})`
      : `user::askuser(askuser="${askFor(missing.description, question)}")`;
  return { text: `${chosen.description}\n</scratchpad>\n<function_call>${call}`, stop: '</function_call>' };
}

interface OfferedFunction {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly OfferedArgument[];
}

interface OfferedArgument {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}

function readFunctions(system: string): readonly OfferedFunction[] {
  return [...system.matchAll(/<function>([\s\S]*?)<\/function>/g)].map(([, body = '']) => ({
    name: inner(body, 'function_name') ?? '',
    description: inner(body, 'function_description') ?? '',
    arguments: [...body.matchAll(/<(required|optional)_argument>(.*?) \((.*?)\): (.*?)<\/\1_argument>/g)].map(
      ([, kind, name = '', type = '', description = '']) => ({
        name,
        type,
        description,
        isRequired: kind === 'required',
      }),
    ),
  }));
}

/** The first of those that share most words with the question, values that it lists counting half; a search of documents where none shares any. */
function bestFunction(functions: readonly OfferedFunction[], question: string): OfferedFunction | undefined {
  const wanted = contentWords(question);
  const own = functions.filter(({ name }) => name !== 'user::askuser' && !name.includes('x_amz_knowledgebase'));
  const rated = own.map((one) => ({
    one,
    shared:
      [...contentWords(one.description)].filter((word) => wanted.has(word)).length +
      one.arguments.filter(({ description }) => listedIn(description).some((value) => question.includes(value)))
        .length /
        2,
  }));
  const best = rated.reduce((top, next) => (next.shared > top.shared ? next : top), { one: own[0], shared: 0 });
  return best.shared > 0 ? best.one : functions.find(({ name }) => name.includes('x_amz_knowledgebase'));
}

/** A value that the question holds: one of a list the description gives, a date, a number; for a search all of it. */
function valueIn({ name, type, description }: OfferedArgument, question: string): string | undefined {
  const listed = listedIn(description);
  if (listed.length > 0) return listed.find((one) => question.includes(one));
  if (/date|日付/iu.test(`${name} ${description}`)) return /\d{4}-\d{2}-\d{2}/.exec(question)?.[0];
  if (type === 'integer' || type === 'number') return /\d+/.exec(question.replace(/\d{4}-\d{2}-\d{2}/g, ''))?.[0];
  return name === 'searchQuery' ? question : undefined;
}

/** The values that a description lists. */
function listedIn(description: string): readonly string[] {
  const listed = /[(（][^(（)）]*?(?:one of|次のいずれか)[:：]\s*([^)）]+)[)）]/u.exec(description)?.[1];
  return listed === undefined ? [] : listed.split(/\s*[,、]\s*/u);
}

/** Descriptions are written in Japanese with the English behind it in parentheses, or in one language. */
function askFor(description: string, question: string): string {
  const [, own = description, inParentheses = own] = /^([^(（]+?)\s*(?:[(（](.*)[)）])?$/u.exec(description) ?? [];
  const plain = (text: string): string => text.replaceAll('"', "'").trim();
  return isJapanese(question) ? `${plain(own)}を教えてください。` : `Please tell me: ${plain(inParentheses)}`;
}

function notFound(question: string): string {
  return isJapanese(question)
    ? 'お尋ねの件に当たる情報は見つかりませんでした。'
    : 'Nothing was found that answers the question.';
}

function inner(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim();
}
