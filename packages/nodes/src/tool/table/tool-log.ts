/** Takes what tools print while they run; nothing secret, and of user programs no arguments and no results. */
export type ToolLog = (stream: 'stdout' | 'stderr', text: string) => void;
