import type { Rails } from './rails.ts';

/** The arrows beside one node, where nodes stand below each other (style). */
export function RailsView({ row }: { readonly row: Rails['nodes'][number] | undefined }) {
  if (row === undefined) return null;
  return (
    <span class="rails" aria-hidden="true">
      {row.followsLast ? <i class="step" /> : null}
      {row.parts.map(({ lane, isFromAbove, goesOn, end, carries }) => (
        <span key={lane} class={carries ? 'carries' : ''} style={{ '--lane': `${lane}` }}>
          <i class={`rail ${isFromAbove ? 'from-above' : ''} ${goesOn ? 'goes-on' : ''}`} />
          {end === undefined ? null : <i class={`stub ${end}`} />}
        </span>
      ))}
    </span>
  );
}
