import type { JsonValue } from '@unroll/engine';
import type { Reporter } from '@unroll/project';
import type { TextSink } from '../io.ts';
import { readableValue } from '../text/readable-value.ts';

/** Writes an answer as it comes from the node that gives it, and what is still missing when it is done. */
export interface AnswerStream {
  readonly report: Reporter;
  /** The whole answer: written where nothing was streamed, or something else was. */
  readonly end: (answer: JsonValue) => void;
}

export function createAnswerStream(node: string | undefined, sink: TextSink): AnswerStream {
  let streamed = '';
  return {
    report: (event) => {
      if (event.type !== 'text' || event.node !== node) return;
      streamed += event.text;
      sink.write(event.text);
    },
    end: (answer) => {
      const text = readableValue(answer);
      if (streamed !== '' && streamed !== text) sink.write('\n');
      sink.write(streamed === text ? '\n' : `${text}\n`);
    },
  };
}
