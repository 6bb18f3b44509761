import type { BuildProgress } from '@unroll/nodes/build-index';
import type { UploadProgress } from '@unroll/project/search-index';
import { bar } from '../bulk/bar.ts';
import { createLiveBlock } from '../bulk/live-display.ts';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { paintedLine } from '../text/painted-line.ts';
import { styleOf } from '../text/style.ts';

/** What the display of a build is told; nothing is drawn where stderr is no terminal. */
export interface BuildDisplay {
  show(progress: BuildProgress | UploadProgress): void;
  clear(): void;
}

const msBetween = 80;
const barWidth = 24;
const words = { read: 'reading', embed: 'embedding', upload: 'uploading' } as const;
const units = { read: 'files', embed: 'texts', upload: 'documents' } as const;

export function buildDisplay(io: Io, { quiet, color }: OutputSettings): BuildDisplay {
  if (!io.stderr.isTerminal || quiet === true) return { show: () => undefined, clear: () => undefined };
  const block = createLiveBlock(io.stderr);
  const style = styleOf(io.stderr, io, color);
  let drawnAt = 0;
  return {
    show(progress) {
      const { stage, done, total } = progress;
      const now = io.steadyNow();
      if (now - drawnAt < msBetween && done < total) return;
      drawnAt = now;
      const shares = { completed: done, cached: 0, bypassed: 0, failed: 0, inFlight: 0, total };
      const name = 'name' in progress && progress.name !== undefined ? `  ${progress.name}` : '';
      const line = paintedLine(
        [
          { text: `${words[stage].padEnd(9)} ` },
          ...bar(shares, barWidth, style),
          { text: ` ${done} of ${total} ${units[stage]}` },
          { text: name, paint: style.dim },
        ],
        io.stderr.columns ?? 80,
      );
      block.draw([line]);
    },
    clear: () => block.clear(),
  };
}
