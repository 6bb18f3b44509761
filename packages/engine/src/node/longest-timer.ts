/** Milliseconds, 24.8 days: a timer that is given more ends at once. */
export const longestTimerMs = 2 ** 31 - 1;
