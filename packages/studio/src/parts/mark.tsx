import type { JSX } from 'preact';

/** A shape for each state, so that none depends on its colour; and for what a node is. */
const shapes = {
  completed: <path d="M3.5 8.5 6.5 11.5 12.5 4.5" />,
  passes: <path d="M3.5 8.5 6.5 11.5 12.5 4.5" />,
  failed: (
    <>
      <path d="M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2z" fill="currentColor" stroke="none" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" stroke="var(--surface)" />
    </>
  ),
  'does-not-pass': <path d="m4.5 4.5 7 7m0-7-7 7" />,
  bypassed: (
    <>
      <path d="M2 10c1-4.5 8.5-6 11-1.5M13.5 4.8v3.9H9.6" />
      <circle cx="7.5" cy="12" r="1.3" fill="currentColor" stroke="none" />
    </>
  ),
  canceled: (
    <>
      <circle cx="8" cy="8" r="6" />
      <rect x="5.6" y="5.6" width="4.8" height="4.8" fill="currentColor" stroke="none" />
    </>
  ),
  'not-run': <circle cx="8" cy="8" r="5.5" stroke-dasharray="2 2.3" />,
  cached: <path d="M13.3 8a5.3 5.3 0 1 1-1.6-3.8M13.5 2v3h-3M5.6 8.2l1.7 1.7 3-3.4" />,
  waiting: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.3 1.6" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6" />
      <circle class="pulse" cx="8" cy="8" r="3" fill="currentColor" stroke="none" />
    </>
  ),
  unfinished: (
    <>
      <path d="M8 2 14.5 13.5h-13z" />
      <path d="M8 6.5v3M8 11.6v.1" />
    </>
  ),
  llm: <path d="M2.5 3.5h11V11H7l-3 2.5V11H2.5zM5 6.3h6M5 8.5h4" />,
  code: <path d="m5.5 4.5-3.5 3.5 3.5 3.5m5-7 3.5 3.5-3.5 3.5" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  tools: (
    <path d="M9.5 2.5a3.6 3.6 0 0 0-3.3 5L2.3 11.4l2.3 2.3L8.5 9.8a3.6 3.6 0 0 0 5-4.3L11.2 7.8 8.8 7.2 8.2 4.8z" />
  ),
  loop: <path d="M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3" />,
  logo: <path d="M8 8a2 2 0 1 1 2-2c0 4-7 4-7-.5A5.5 5.5 0 0 1 8.5 1C12 1 14 4 14 8v6" />,
} satisfies Readonly<Record<string, JSX.Element>>;

export type Shape = keyof typeof shapes;

export interface MarkProps {
  readonly shape: Shape;
  /** The word for it where no word stands beside it; without one it is decoration. */
  readonly label?: string;
}

export function Mark({ shape, label }: MarkProps) {
  const name = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: without a label it is decoration, beside the word
    <svg class={`mark mark-${shape}`} viewBox="0 0 16 16" {...name}>
      {label === undefined ? null : <title>{label}</title>}
      {shapes[shape]}
    </svg>
  );
}
