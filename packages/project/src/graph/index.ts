export { curveThrough, overlaps, round } from './curve.ts';
export { type DrawnNode, drawnNodes, drawRun } from './draw-run.ts';
export {
  detailText,
  layoutPicture,
  type PlacedArrow,
  type PlacedBox,
  type PlacedGroup,
  type PlacedPicture,
  textPixels,
  titleArea,
} from './layout.ts';
export type { Arrow, Box, BoxStatus, Group, Picture } from './picture.ts';
