/** Whether the keys of programs are pressed with ⌘ here, as on a Mac, and with Ctrl elsewhere. Ctrl counts everywhere. */
export const hasCommandKey = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
