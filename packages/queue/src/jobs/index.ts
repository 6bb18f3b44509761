export type { Jobs, TakenJob } from './jobs.ts';
export { installJobs, openJobs } from './open-jobs.ts';
