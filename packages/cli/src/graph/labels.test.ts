import type { Arrow, Box, Picture } from '@unroll/project/graph';
import { layoutPicture, overlaps, textPixels, titleArea } from '@unroll/project/graph';
import { expect, test } from 'vitest';
import { stringifySvg } from './svg.ts';

const box = (id: string, group?: string): Box => {
  const inGroup = group === undefined ? {} : { group };
  return { id, label: id, kind: 'node', type: 'python', aggregation: false, ...inGroup };
};
const arrow = (from: string, to: string, kind: Arrow['kind'] = 'data', label?: string): Arrow => {
  return { from, to, kind, ...(label === undefined ? {} : { label }) };
};

/** A loop with conditions from before it, and a long title. */
function loopPicture(direction: Picture['direction'], members: number): Picture {
  const names = Array.from({ length: members }, (_, at) => `node_${at}`);
  const inside = names.map((name) => box(name, 'loop'));
  return {
    title: 'a loop',
    direction,
    boxes: [box('before'), ...inside, box('after')],
    arrows: [
      ...names.map((name) => arrow('before', name, 'condition', 'if finished = false')),
      ...names.slice(1).map((name, at) => arrow(`node_${at}`, name)),
      arrow(names.at(-1) ?? '', 'node_0', 'again', '×5'),
      arrow(names.at(-1) ?? '', 'after', 'condition', 'if search.enabled = true'),
    ],
    groups: [{ id: 'loop', label: 'orchestrate: at most 5 times, until finished' }],
  };
}

test.for([
  ['down', 2],
  ['down', 4],
  ['right', 2],
  ['right', 4],
] as const)(
  'running %s over %d nodes, labels sit on their arrows and on no box or title',
  async ([direction, members]) => {
    const placed = await layoutPicture(loopPicture(direction, members));
    const areas = [...placed.boxes, ...placed.groups.map(titleArea)];
    const labelled = placed.arrows.flatMap(({ arrow: { label: text = '' }, label, points }) =>
      label === undefined ? [] : [{ text, label, points }],
    );
    expect(labelled).toHaveLength(members + 2);
    for (const { text, label, points } of labelled) {
      const own = { ...label, width: textPixels(text, 12), height: 14 };
      expect(areas.filter((area) => overlaps(own, area))).toEqual([]);
      // The bends of an arrow hold its curve: a point of it lies in their frame.
      const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
      expect(label.x).toBeGreaterThanOrEqual(Math.min(...xs) - 0.1);
      expect(label.x).toBeLessThanOrEqual(Math.max(...xs) + 0.1);
      expect(label.y).toBeGreaterThanOrEqual(Math.min(...ys) - 0.1);
      expect(label.y).toBeLessThanOrEqual(Math.max(...ys) + 0.1);
    }
  },
);

test('two pictures on one page share no ids', async () => {
  const placed = await layoutPicture(loopPicture('down', 2));
  const idsOf = (svg: string): readonly string[] => Array.from(svg.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
  const [one, other] = [idsOf(stringifySvg(placed, 'right')), idsOf(stringifySvg(placed, 'down'))];
  expect(one.length).toBeGreaterThan(0);
  expect(one.filter((id) => other.includes(id))).toEqual([]);
});
