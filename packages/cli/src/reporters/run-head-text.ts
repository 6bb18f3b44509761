import type { RunInfo } from '@unroll/engine';
import { replayedFrom } from '@unroll/project';
import type { Style } from '../text/style.ts';

/** What run is shown: its id, its flow, its data and when it began; and whether a cassette answered in place of models. */
export function runHeadText(info: RunInfo, style: Style): string {
  const { id, flowName, flowPath, startedAt, data } = info;
  const started = new Date(startedAt).toISOString().replace('T', ' ').slice(0, 19);
  const about = [`${flowName} (${flowPath})`, data?.path ?? '', `${started} UTC`].filter((part) => part !== '');
  const tape = replayedFrom(info);
  const replayed =
    tape === undefined
      ? ''
      : `${style.dim(`replayed from ${tape}: no model was asked, tokens and cost are those of the recording`)}\n`;
  return `${style.strong(id)}\n${style.dim(about.join(', '))}\n${replayed}`;
}
