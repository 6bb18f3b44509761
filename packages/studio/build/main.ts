import { buildStudio } from './build-studio.ts';

/** `pnpm --filter @unroll/studio build`: the page into `dist/`. */
await buildStudio();
