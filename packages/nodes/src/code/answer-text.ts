import type { ToldCall } from '../openai/calls-of-code.ts';

const data = 'data:';

/** The text of a model's answer as it comes, whole or in events: what it tells of its tokens. */
export class AnswerText {
  private rest = '';
  /** Of an answer in one piece, which begins with its mapping, all that came; once it has begun so. */
  private pieces: string[] | undefined;
  private last: Omit<ToldCall, 'service'> | undefined;
  /** Its last event was there. */
  isDone = false;

  add(text: string): this {
    if (this.pieces !== undefined) {
      this.pieces.push(text);
      return this;
    }
    this.rest += text;
    if (this.rest.trimStart().startsWith('{')) {
      this.pieces = [this.rest];
      return this;
    }
    const lines = this.rest.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.read(line);
    return this;
  }

  /** Nothing more comes. @returns undefined where it told none */
  end(): Omit<ToldCall, 'service'> | undefined {
    if (this.pieces !== undefined) this.readAnswer(this.pieces.join(''));
    else this.read(this.rest);
    return this.last;
  }

  private read(line: string): void {
    if (!line.startsWith(data)) return;
    const told = line.slice(data.length).trim();
    if (told === '[DONE]') this.isDone = true;
    else this.readAnswer(told);
  }

  /** The last one that tells some counts. */
  private readAnswer(text: string): void {
    const answer = objectIn(text);
    const whole = objectOf(answer?.['response']) ?? answer;
    const usage = whole?.['usage'];
    if (usage !== undefined && usage !== null) this.last = { model: whole?.['model'], usage };
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}
